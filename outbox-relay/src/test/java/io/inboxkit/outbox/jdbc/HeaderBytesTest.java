package io.inboxkit.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.inboxkit.outbox.OutboxHeader;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeaderBytesTest {

    @Test
    void headersAreReadAsTheyWereWritten() {
        List<OutboxHeader> headers = List.of(
                new OutboxHeader("plain", new byte[] {1, 2}),
                new OutboxHeader("ünïcode", new byte[0]),
                new OutboxHeader("", null),
                new OutboxHeader("plain", new byte[] {0, -1}));

        assertThat(HeaderBytes.read(HeaderBytes.write(headers))).isEqualTo(headers);
    }

    @Test
    void noHeadersTakeNoSpace() {
        assertThat(HeaderBytes.write(List.of())).isNull();
        assertThat(HeaderBytes.read(null)).isEmpty();
    }
}

package io.inboxkit.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MessageIdsTest {

    @Test
    void idsAreUuidsOfVersion7ThatBeginWithTheTime() {
        long before = System.currentTimeMillis();
        UUID id = MessageIds.next();

        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(id.getMostSignificantBits() >>> 16).isBetween(before, System.currentTimeMillis());
    }

    @Test
    void noIdComesTwice() {
        Set<UUID> ids = new HashSet<>();
        for (int i = 0; i < 100_000; i++) {
            ids.add(MessageIds.next());
        }
        assertThat(ids).hasSize(100_000);
    }
}

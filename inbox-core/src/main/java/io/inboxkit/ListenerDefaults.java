package io.inboxkit;

import java.time.Duration;
import java.util.List;

/**
 * What holds for a listener whose annotation says nothing: the part of the configuration that the adapters of the brokers
 * need.
 *
 * @param headers the names of the headers that ids are looked for in, in order
 * @param onMissingId what happens to a message without an id; not {@link MissingIdPolicy#DEFAULT}
 * @param fingerprint what the fingerprint of a payload is taken of
 * @param onReusedId what happens to a known id with another payload; not {@link ReusedIdPolicy#DEFAULT}
 * @param retention how long ids are kept
 * @param withoutDeadLetter what happens to a refused message that has nowhere to go
 * @param logMessageIds whether logs show ids as they are
 */
public record ListenerDefaults(
        List<String> headers,
        MissingIdPolicy onMissingId,
        FingerprintMode fingerprint,
        ReusedIdPolicy onReusedId,
        Duration retention,
        UndeliverableAction withoutDeadLetter,
        boolean logMessageIds) {

    public ListenerDefaults {
        headers = List.copyOf(headers);
    }
}

package io.inboxkit;

/** What the fingerprint of a payload is taken of. */
public enum FingerprintMode {

    /** Of canonical JSON (RFC 8785) where the payload is JSON, else of its bytes. */
    PAYLOAD,

    /** Of the bytes on the wire. */
    BYTES,

    /** No fingerprint is kept, so a reused id is not noticed. */
    NONE
}

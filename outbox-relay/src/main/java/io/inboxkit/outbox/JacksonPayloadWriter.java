package io.inboxkit.outbox;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** JSON by Jackson. Thread-safe. */
public final class JacksonPayloadWriter implements PayloadWriter {

    private final JsonMapper mapper;

    /**
     * @param mapper what writes the JSON
     */
    public JacksonPayloadWriter(JsonMapper mapper) {
        this.mapper = mapper;
    }

    @Override
    public byte[] json(Object payload) {
        try {
            return mapper.writeValueAsBytes(payload);
        } catch (JacksonException e) {
            throw new InvalidOutboxMessageException(
                    "A payload of type " + payload.getClass().getName() + " could not be written as JSON",
                    "Repair the type or the JsonMapper, or give text or bytes",
                    e);
        }
    }
}

package io.inboxkit.benchmarks;

import io.inboxkit.Position;

/**
 * One delivery of a message, as a broker would make it.
 *
 * @param id the id that the producer gave
 * @param payload a JSON document of about 250 bytes
 * @param position where the message stands
 * @param amount what the handler stores
 */
record Delivery(String id, String payload, Position position, int amount) {

    /** The same message, sent once more. */
    Delivery at(Position newPosition) {
        return new Delivery(id, payload, newPosition, amount);
    }
}

package io.inboxkit.outbox;

import java.util.List;

/**
 * Where an application leaves the messages that it sends, in the transaction of its business data: both are committed, or
 * neither is. A relay publishes them afterwards, at least once and in order per destination and key. Thread-safe.
 *
 * <p>Every call needs an open, writable transaction on the outbox's {@code DataSource}. Messages of one key keep the order in
 * which they were written by one transaction, or by transactions that one after the other changed what the key stands for. A
 * crash before the commit leaves nothing; one after it delays the message until a relay runs.
 */
public interface Outbox {

    /**
     * Writes a message.
     *
     * @return the id of the message
     * @throws OutboxTransactionException if there is no transaction, a read-only one, or one that has been committed
     * @throws InvalidOutboxMessageException if no broker could ever carry the message; nothing was written and the transaction
     *     is as it was
     * @throws org.springframework.dao.DataAccessException if the database refused it; the transaction must be rolled back
     */
    String publish(OutboxMessage message);

    /**
     * Writes many messages by one statement, in their order.
     *
     * @return the ids of the messages, in the same order
     * @throws OutboxTransactionException as {@link #publish}
     * @throws InvalidOutboxMessageException if any of them could never be carried; none was written
     * @throws org.springframework.dao.DataAccessException as {@link #publish}
     */
    List<String> publishAll(List<OutboxMessage> messages);
}

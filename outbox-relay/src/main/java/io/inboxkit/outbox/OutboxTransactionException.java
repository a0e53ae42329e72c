package io.inboxkit.outbox;

/** A message was to be published outside a transaction that it could be committed with. */
public final class OutboxTransactionException extends OutboxException {

    private static final long serialVersionUID = 1L;

    /**
     * @param problem what was found
     * @param remedy what to do
     */
    public OutboxTransactionException(String problem, String remedy) {
        super(problem + ". " + remedy + ".", null);
    }
}

package io.inboxkit.jdbc;

/** Every statement of the inbox, with the names of its tables filled in. */
final class InboxSql {

    /**
     * Claims one message: gives a row if it is new. The wait for a concurrent duplicate happens inside the insert, on the index
     * of the primary key, and is bounded by a lock_timeout that is set when the row to be inserted is read and put back when it
     * is returned; for a duplicate {@link #FIND_DUPLICATE} puts it back. A consumer that is not in its table claims nothing.
     */
    private static final String CLAIM =
            """
            insert into {message} (consumer_id, message_key, fingerprint, source_id, source_partition, source_offset)
            select c.id, ?::uuid, ?::bytea, ?::uuid, ?::integer, ?::bigint
            from {consumer} c
            where c.id = ?::integer
                and set_config('lock_timeout',
                    case when set_config('inbox.lock_timeout', current_setting('lock_timeout'), true) is not null then ? end,
                    true) is not null
            on conflict (consumer_id, message_key) do nothing
            returning set_config('lock_timeout', current_setting('inbox.lock_timeout'), true)
            """;

    /**
     * Reads what is known of a message whose claim gave no row, over the primary key, and puts lock_timeout back; takes no
     * lock. A statement of its own, so that new messages do not pay for it and a row is seen for which the claim waited.
     * Gives one row in any case. The setting is empty if a claim without a consumer was the first of its transaction.
     */
    private static final String FIND_DUPLICATE =
            """
            select m.processed_at, m.fingerprint, m.source_id, m.source_partition, m.source_offset
            from (
                select set_config('lock_timeout', coalesce(
                    nullif(current_setting('inbox.lock_timeout', true), ''), current_setting('lock_timeout')), true)
                offset 0
            ) restored
            left join {message} m on m.consumer_id = ?::integer and m.message_key = ?::uuid
            """;

    /**
     * Claims many messages in one statement. Rows are inserted in the order of the primary key, so that two of these never
     * wait for each other in a circle. Gives one row per message. What is known of a duplicate is read over the primary key:
     * the offset keeps the planner from a join with the whole table.
     */
    private static final String CLAIM_ALL =
            """
            with bound as materialized (
                select old_timeout, set_config('lock_timeout', ?, true)
                from (select current_setting('lock_timeout') as old_timeout offset 0) o
            ), message as materialized (
                select m.*, bound.old_timeout
                from bound, unnest(?::integer[], ?::uuid[], ?::bytea[], ?::uuid[], ?::integer[], ?::bigint[])
                    as m (consumer_id, message_key, fingerprint, source_id, source_partition, source_offset)
            ), claimed as (
                insert into {message}
                    (consumer_id, message_key, fingerprint, source_id, source_partition, source_offset)
                select m.consumer_id, m.message_key, m.fingerprint, m.source_id, m.source_partition, m.source_offset
                from message m join {consumer} c on c.id = m.consumer_id
                order by m.consumer_id, m.message_key
                on conflict (consumer_id, message_key) do nothing
                returning consumer_id, message_key, true as is_new
            )
            select message.consumer_id, message.message_key,
                   claimed.is_new, known.processed_at, known.fingerprint,
                   known.source_id, known.source_partition, known.source_offset,
                   set_config('lock_timeout', message.old_timeout, true)
            from message
            left join claimed using (consumer_id, message_key)
            left join lateral (
                select processed_at, fingerprint, source_id, source_partition, source_offset
                from {message} m
                where claimed.is_new is null
                    and m.consumer_id = message.consumer_id and m.message_key = message.message_key
                offset 0
            ) known on true
            """;

    /** Reads one message by its primary key; takes no lock. */
    private static final String FIND =
            """
            select processed_at, fingerprint, source_id, source_partition, source_offset
            from {message} where consumer_id = ? and message_key = ?
            """;

    /**
     * Reads what is known of a message as the last statement of a transaction that holds nothing else: the end of the
     * transaction puts lock_timeout back. The driver sends both at once, so that a duplicate costs no more round trips than a
     * new message; it then knows that no transaction is open and sends no rollback of its own.
     */
    private static final String FIND_AND_END = FIND.stripTrailing() + ";\nrollback";

    /** Reads one message by the name of its consumer, over both unique keys; takes no lock. */
    private static final String FIND_BY_NAME =
            """
            select m.processed_at, m.source_id, m.source_partition, m.source_offset
            from {message} m join {consumer} c on c.id = m.consumer_id
            where c.name = :consumer and m.message_key = :key
            """;

    /** Locks the one row until the end of the transaction: a concurrent claim of the same id waits. */
    private static final String FORGET =
            """
            delete from {message} m using {consumer} c
            where c.id = m.consumer_id and c.name = :consumer and m.message_key = :key
            """;

    /** Makes a consumer known; waits, on the unique key of the name, for another process that does the same. */
    private static final String REGISTER =
            """
            insert into {consumer} as c (id, name, retention)
            values (:id, :name, make_interval(secs => :retention))
            on conflict (name) do update set retention = excluded.retention
                where :setRetention and c.retention <> excluded.retention
            """;

    /** Reads the id of a consumer over the unique key of its name; takes no lock. */
    private static final String CONSUMER_ID = "select id from {consumer} where name = :name";

    /** Locks the row of the consumer until the end of the transaction. */
    private static final String RENAME = "update {consumer} set name = :newName where name = :oldName";

    private static final String RETIRE = "delete from {consumer} where id = :consumer";

    private static final String CONSUMERS = "select name from {consumer} order by name";

    /**
     * Takes the right to purge one consumer until the end of the transaction; gives no row where another instance has it.
     * The lock does not touch claims, which only read the row.
     */
    private static final String LOCK_FOR_PURGE =
            "select id from {consumer} where name = :name for no key update skip locked";

    /**
     * Deletes the oldest ids of a consumer: found through the index on (consumer_id, processed_at), deleted over the primary
     * key. The cut-off is a value of its own since a volatile clock cannot bound an index, and the keys are an array since a
     * join would be planned as a scan of the table.
     */
    private static final String PURGE =
            """
            with cutoff as materialized (
                select clock_timestamp() - make_interval(secs => :margin) - c.retention as at
                from {consumer} c where c.id = :consumer
            )
            delete from {message} where consumer_id = :consumer and message_key = any (array(
                select m.message_key
                from {message} m
                where m.consumer_id = :consumer and m.processed_at < (select at from cutoff)
                order by m.processed_at
                limit :limit
                for update skip locked))
            """;

    /** Deletes some ids of a consumer that is retired, over the primary key. */
    private static final String PURGE_RETIRED =
            """
            delete from {message} where consumer_id = :consumer and message_key = any (array(
                select m.message_key from {message} m where m.consumer_id = :consumer limit :limit))
            """;

    final String claim;
    final String claimAll;
    final String find;
    final String findDuplicate;
    final String findAndEnd;
    final String findByName;
    final String forget;
    final String register;
    final String consumerId;
    final String rename;
    final String retire;
    final String consumers;
    final String lockForPurge;
    final String purge;
    final String purgeRetired;

    InboxSql(InboxTables tables) {
        claim = named(CLAIM, tables);
        claimAll = named(CLAIM_ALL, tables);
        find = named(FIND, tables);
        findDuplicate = named(FIND_DUPLICATE, tables);
        findAndEnd = named(FIND_AND_END, tables);
        findByName = named(FIND_BY_NAME, tables);
        forget = named(FORGET, tables);
        register = named(REGISTER, tables);
        consumerId = named(CONSUMER_ID, tables);
        rename = named(RENAME, tables);
        retire = named(RETIRE, tables);
        consumers = named(CONSUMERS, tables);
        lockForPurge = named(LOCK_FOR_PURGE, tables);
        purge = named(PURGE, tables);
        purgeRetired = named(PURGE_RETIRED, tables);
    }

    private static String named(String statement, InboxTables tables) {
        return statement.replace("{message}", tables.message()).replace("{consumer}", tables.consumer());
    }
}

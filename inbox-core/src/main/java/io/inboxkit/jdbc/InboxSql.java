package io.inboxkit.jdbc;

/** The statements on the path of a message, with the names of the tables filled in. */
final class InboxSql {

    /**
     * Whether a message is open, of which {@code k} has the key and the position: over the primary key and the index on the
     * position.
     */
    static final String IS_OPEN =
            """
            (exists (select from {open} o where o.consumer_id = k.consumer_id and o.message_key = k.message_key)
                or exists (select from {open} o
                    where o.consumer_id = k.consumer_id and o.source_id = k.source_id
                        and o.source_partition = k.source_partition and o.source_offset = k.source_offset))""";

    /**
     * Whether a message of which nothing else is known is older than the memory of its consumer: at or below a floor, over the
     * primary key of the floors, and not open. Without a position it never is.
     */
    static final String IS_STALE =
            """
            (exists (select from {floor} f
                    where f.consumer_id = k.consumer_id and f.source_id = k.source_id
                        and f.source_partition = k.source_partition and f.floor_offset >= k.source_offset)
                and not
            """
                    + IS_OPEN + ")";

    /**
     * Claims one message: gives a row if it is new, which says whether it was open. The wait for a concurrent duplicate happens
     * inside the insert, on the index of the primary key, and is bounded by a lock_timeout that is set when the row to be
     * inserted is read and put back when it is returned; for a duplicate {@link #FIND_DUPLICATE} puts it back. A consumer that
     * is not in its table claims nothing, and neither does a message that is stale. The floor is read here and not before, so
     * that the purge cannot come in between.
     */
    private static final String CLAIM =
            """
            insert into {message} as k (consumer_id, message_key, fingerprint, source_id, source_partition, source_offset)
            select c.id, k.message_key, ?::bytea, k.source_id, k.source_partition, k.source_offset
            from {consumer} c, (
                select ?::integer as consumer_id, ?::uuid as message_key,
                       ?::uuid as source_id, ?::integer as source_partition, ?::bigint as source_offset
            ) k
            where c.id = k.consumer_id
                and set_config('lock_timeout',
                    case when set_config('inbox.lock_timeout', current_setting('lock_timeout'), true) is not null then ? end,
                    true) is not null
                and not {stale}
            on conflict (consumer_id, message_key) do nothing
            returning {isOpen}, set_config('lock_timeout', current_setting('inbox.lock_timeout'), true)
            """;

    /**
     * Reads what is known of a message whose claim gave no row, over the primary key, and puts lock_timeout back; takes no
     * lock. A statement of its own, so that new messages do not pay for it and a row is seen for which the claim waited.
     * Gives one row in any case. The setting is empty if a claim without a consumer was the first of its transaction.
     */
    private static final String FIND_DUPLICATE =
            """
            select m.processed_at, m.fingerprint, m.source_id, m.source_partition, m.source_offset,
                   m.processed_at is null and {stale} as is_stale
            from (
                select set_config('lock_timeout', coalesce(
                        nullif(current_setting('inbox.lock_timeout', true), ''), current_setting('lock_timeout')), true),
                    ?::integer as consumer_id, ?::uuid as message_key,
                    ?::uuid as source_id, ?::integer as source_partition, ?::bigint as source_offset
                offset 0
            ) k
            left join {message} m on m.consumer_id = k.consumer_id and m.message_key = k.message_key
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
                select k.*, bound.old_timeout, {isOpen} as is_open, {stale} as is_stale
                from bound, unnest(?::integer[], ?::uuid[], ?::bytea[], ?::uuid[], ?::integer[], ?::bigint[])
                    as k (consumer_id, message_key, fingerprint, source_id, source_partition, source_offset)
            ), claimed as (
                insert into {message}
                    (consumer_id, message_key, fingerprint, source_id, source_partition, source_offset)
                select m.consumer_id, m.message_key, m.fingerprint, m.source_id, m.source_partition, m.source_offset
                from message m join {consumer} c on c.id = m.consumer_id
                where not m.is_stale
                order by m.consumer_id, m.message_key
                on conflict (consumer_id, message_key) do nothing
                returning consumer_id, message_key, true as is_new
            )
            select message.consumer_id, message.message_key, message.is_open, message.is_stale,
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

    /**
     * Reads one message by its primary key; takes no lock. Where there is none, gives a row without values if the message is
     * stale; the limit keeps the floors from being read for nothing.
     */
    private static final String FIND =
            """
            select m.processed_at, m.fingerprint, m.source_id, m.source_partition, m.source_offset, false as is_stale
            from (select ?::integer as consumer_id, ?::uuid as message_key) k
            join {message} m on m.consumer_id = k.consumer_id and m.message_key = k.message_key
            union all
            select null::timestamptz, null::bytea, null::uuid, null::integer, null::bigint, true
            from (
                select ?::integer as consumer_id, ?::uuid as message_key,
                       ?::uuid as source_id, ?::integer as source_partition, ?::bigint as source_offset
            ) k
            where {stale} and not exists (
                select from {message} m where m.consumer_id = k.consumer_id and m.message_key = k.message_key)
            limit 1
            """;

    /**
     * Reads what is known of a message as the last statement of a transaction that holds nothing else: the end of the
     * transaction puts lock_timeout back. The driver sends both at once, so that a duplicate costs no more round trips than a
     * new message; it then knows that no transaction is open and sends no rollback of its own.
     */
    private static final String FIND_AND_END = FIND.stripTrailing() + ";\nrollback";

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

    final String claim;
    final String claimAll;
    final String find;
    final String findDuplicate;
    final String findAndEnd;
    final String register;
    final String consumerId;

    /**
     * @param stale whether messages that are stale are told from new ones
     */
    InboxSql(InboxTables tables, boolean stale) {
        String isStale = stale ? IS_STALE : "false";
        claim = named(CLAIM, tables, isStale);
        claimAll = named(CLAIM_ALL, tables, isStale);
        find = named(FIND, tables, isStale);
        findDuplicate = named(FIND_DUPLICATE, tables, isStale);
        findAndEnd = named(FIND_AND_END, tables, isStale);
        register = tables.fill(REGISTER);
        consumerId = tables.fill(CONSUMER_ID);
    }

    private static String named(String statement, InboxTables tables, String isStale) {
        return tables.fill(statement.replace("{stale}", isStale).replace("{isOpen}", IS_OPEN));
    }
}

package io.inboxkit.jdbc;

/** The statements of operators about consumers and their messages, with the names of the tables filled in. */
final class ConsumerSql {

    /**
     * Reads one message by the name of its consumer, over the unique keys; takes no lock. An open message that has no key of its
     * own, since its id is that of another one, is found among the few that are open.
     */
    private static final String FIND =
            """
            select m.processed_at, m.source_id, m.source_partition, m.source_offset
            from {message} m join {consumer} c on c.id = m.consumer_id
            where c.name = :consumer and m.message_key = :key
            union all
            (select null, o.source_id, o.source_partition, o.source_offset
            from {open} o join {consumer} c on c.id = o.consumer_id
            where c.name = :consumer and (o.message_key = :key
                or (o.message_id = :id and o.scope is not distinct from :scope))
            order by o.opened_at)
            """;

    /**
     * Deletes what is known of a message and leaves it open, at the position where it stood. Locks its row until the end of the
     * transaction: a concurrent claim of the same id waits.
     */
    private static final String FORGET =
            """
            with forgotten as (
                delete from {message} m using {consumer} c
                where c.id = m.consumer_id and c.name = :consumer and m.message_key = :key
                returning m.consumer_id, m.message_key, m.source_id, m.source_partition, m.source_offset
            )
            insert into {open} (consumer_id, message_key, source_id, source_partition, source_offset,
                scope, message_id, attempts, reason)
            select consumer_id, message_key, source_id, source_partition, source_offset,
                :scope, :id, 0, 'forgotten by an operator'
            from forgotten
            on conflict (consumer_id, message_key) do update set reason = excluded.reason
            """;

    /** Deletes the open message of an id, over the primary key or among the few that are open. */
    private static final String DISCARD =
            """
            delete from {open} o using {consumer} c
            where c.id = o.consumer_id and c.name = :consumer and (o.message_key = :key
                or (o.message_id = :id and o.scope is not distinct from :scope))
            """;

    /** Deletes the open message of a position, over the index on it. */
    private static final String DISCARD_POSITION =
            """
            delete from {open} o using {consumer} c
            where c.id = o.consumer_id and c.name = :consumer and o.source_id = :source
                and o.source_partition = :partition and o.source_offset = :offset
            """;

    /** Locks the row of the consumer until the end of the transaction. */
    private static final String RENAME = "update {consumer} set name = :newName where name = :oldName";

    /**
     * Deletes a consumer with what is kept beside its ids. The lock of its row waits for a purge and for those that note an open
     * message or that the consumer is alive, so that none of them leaves a row behind.
     */
    private static final String RETIRE = """
            delete from {consumer} where id = :consumer
            """;

    private static final String RETIRE_OPEN = "delete from {open} where consumer_id = :consumer";

    private static final String RETIRE_FLOORS = "delete from {floor} where consumer_id = :consumer";

    private static final String RETIRE_ALIVE = "delete from {alive} where consumer_id = :consumer";

    /** Deletes some ids of a consumer that is no more, over the primary key. */
    private static final String PURGE_RETIRED =
            """
            delete from {message} where consumer_id = :consumer and message_key = any (array(
                select m.message_key from {message} m where m.consumer_id = :consumer limit :limit))
            """;

    /**
     * The consumers of which there are ids, although they are no more: claims that were on their way when their consumer was
     * retired. Jumps from consumer to consumer over the primary key.
     */
    private static final String RETIRED =
            """
            with recursive present as (
                select min(consumer_id) as id from {message}
                union all
                select (select min(m.consumer_id) from {message} m where m.consumer_id > p.id)
                from present p where p.id is not null
            )
            select p.id from present p
            where p.id is not null and not exists (select from {consumer} c where c.id = p.id)
            """;

    private static final String NAMES = "select name from {consumer} order by name";

    /** Reads all consumers, with their open messages over the primary key of those; takes no lock. */
    private static final String STATUS =
            """
            select c.name, extract(epoch from c.retention) as retention, c.purged_at, alive.at as alive_at,
                   coalesce(alive.at, c.created_at)
                       < clock_timestamp() - make_interval(secs => 4 * extract(epoch from c.retention)) as silent,
                   open.messages, open.oldest
            from {consumer} c
            cross join lateral (
                select max(a.ended) as at from {alive} a where a.consumer_id = c.id
            ) alive
            cross join lateral (
                select count(*) as messages, min(o.opened_at) as oldest from {open} o
                where o.consumer_id = c.id and not exists (
                    select from {message} m where m.consumer_id = c.id and m.message_key = o.message_key)
            ) open
            order by c.name
            """;

    final String find;
    final String forget;
    final String discard;
    final String discardPosition;
    final String rename;
    final String retire;
    final String retireOpen;
    final String retireFloors;
    final String retireAlive;
    final String purgeRetired;
    final String retired;
    final String names;
    final String status;

    ConsumerSql(InboxTables tables) {
        find = tables.fill(FIND);
        forget = tables.fill(FORGET);
        discard = tables.fill(DISCARD);
        discardPosition = tables.fill(DISCARD_POSITION);
        rename = tables.fill(RENAME);
        retire = tables.fill(RETIRE);
        retireOpen = tables.fill(RETIRE_OPEN);
        retireFloors = tables.fill(RETIRE_FLOORS);
        retireAlive = tables.fill(RETIRE_ALIVE);
        purgeRetired = tables.fill(PURGE_RETIRED);
        retired = tables.fill(RETIRED);
        names = tables.fill(NAMES);
        status = tables.fill(STATUS);
    }
}

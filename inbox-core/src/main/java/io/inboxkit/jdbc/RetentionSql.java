package io.inboxkit.jdbc;

/** The statements of open messages, floors and the purge, with the names of the tables filled in. */
final class RetentionSql {

    /**
     * Notes that a message is open, or failed once more. The row of the consumer is locked against its removal only. A message
     * that another delivery has processed meanwhile is not open.
     */
    private static final String KEEP_OPEN =
            """
            insert into {open} as o (consumer_id, message_key, source_id, source_partition, source_offset,
                scope, message_id, reason)
            select c.id, ?::uuid, ?::uuid, ?::integer, ?::bigint, ?::text, ?::text, ?::text
            from {consumer} c
            where c.id = ?::integer
                and not exists (select from {message} m where m.consumer_id = c.id and m.message_key = ?::uuid)
            for key share of c
            on conflict (consumer_id, message_key) do update
                set attempts = o.attempts + 1, failed_at = clock_timestamp(), reason = excluded.reason
            """;

    /** Deletes the open message that is now being processed, over the primary key and the index on the position. */
    private static final String CLOSE =
            """
            delete from {open} where consumer_id = ? and (message_key = ?
                or (source_id = ? and source_partition = ? and source_offset = ?))
            """;

    /**
     * Notes that a consumer is alive: makes the span longer that goes on, or begins one after a silence. Locks the consumer
     * against its removal only. Two instances may begin a span at the same time, so spans can overlap.
     */
    private static final String BEAT =
            """
            with beat as (
                update {alive} set ended = greatest(ended, clock_timestamp())
                where consumer_id = :consumer and ended > clock_timestamp() - make_interval(secs => :gap)
                returning consumer_id
            )
            insert into {alive} (consumer_id, began, ended)
            select c.id, present.at, present.at
            from {consumer} c, (select clock_timestamp() as at offset 0) present
            where c.id = :consumer and not exists (select from beat)
            for key share of c
            on conflict (consumer_id, began) do nothing
            """;

    /**
     * Takes the right to purge one consumer until the end of the transaction; gives no row where another instance has it.
     * The lock does not touch claims, which only read the row.
     */
    private static final String LOCK = "select id from {consumer} where name = :name for no key update skip locked";

    /**
     * Until when messages were processed that are older than the retention, and older than retention and margin, in time in
     * which the consumer was alive; reads its few spans. Without the day as a unit, which a time zone can make longer.
     */
    private static final String CUTOFFS =
            """
            with span as materialized (
                select greatest(s.began, s.reached) as began,
                       extract(epoch from greatest(s.ended - greatest(s.began, s.reached), interval '0')) as seconds
                from (
                    select began, ended,
                           max(ended) over (order by began rows between unbounded preceding and 1 preceding) as reached
                    from {alive} where consumer_id = :consumer
                ) s
            ), aged as materialized (
                select began, sum(seconds) over (order by began desc) as seconds from span
            )
            select coalesce(c.floored_until, '-infinity') as floored_until,
                   coalesce(c.floored_at < clock_timestamp() - make_interval(secs => :pause), true) as floors_due,
                   (select a.began + make_interval(secs => a.seconds - age.seconds)
                    from aged a where a.seconds >= age.seconds
                    order by a.seconds limit 1) as floor_until,
                   (select a.began + make_interval(secs => a.seconds - age.seconds - :margin)
                    from aged a where a.seconds >= age.seconds + :margin
                    order by a.seconds limit 1) as purge_until
            from {consumer} c, lateral (select extract(epoch from c.retention) as seconds) age
            where c.id = :consumer
            """;

    /** The end of the next step of messages that floors are raised over, found through the index on the time. */
    private static final String STEP =
            """
            select coalesce((
                select m.processed_at from {message} m
                where m.consumer_id = :consumer and m.processed_at >= :from and m.processed_at < :until
                order by m.processed_at offset :limit limit 1), :until)
            """;

    /**
     * Raises the floors over the messages of one step, and over the oldest of all: among these are some whose transaction ended
     * only after their step.
     */
    private static final String RAISE =
            """
            insert into {floor} (consumer_id, source_id, source_partition, floor_offset)
            select :consumer, r.source_id, r.source_partition, r.floor_offset
            from (
                select m.source_id, m.source_partition, max(m.source_offset) as floor_offset
                from (
                    (select s.source_id, s.source_partition, s.source_offset from {message} s
                    where s.consumer_id = :consumer and s.processed_at >= :from and s.processed_at < :until)
                    union all
                    (select s.source_id, s.source_partition, s.source_offset from {message} s
                    where s.consumer_id = :consumer and s.processed_at < :oldest
                    order by s.processed_at limit :limit)
                ) m
                where m.source_id is not null
                group by m.source_id, m.source_partition
            ) r
            where not exists (select from {floor} f
                where f.consumer_id = :consumer and f.source_id = r.source_id
                    and f.source_partition = r.source_partition and f.floor_offset >= r.floor_offset)
            """;

    private static final String RAISED =
            "update {consumer} set floored_until = :until, floored_at = clock_timestamp() where id = :consumer";

    /** Notes that floors are committed, which is seen in a transaction after theirs only. */
    private static final String STAMP =
            """
            update {floor} set raised_at = clock_timestamp() where consumer_id = :consumer and raised_at is null
            """;

    /** Deletes floors that are below another one on which the purge can go by; over the primary key. */
    private static final String PURGE_FLOORS =
            """
            delete from {floor} f where f.consumer_id = :consumer and exists (
                select from {floor} h
                where h.consumer_id = f.consumer_id and h.source_id = f.source_id
                    and h.source_partition = f.source_partition and h.floor_offset > f.floor_offset
                    and h.raised_at <= clock_timestamp() - make_interval(secs => :margin))
            """;

    /**
     * Deletes the oldest ids of a consumer that have no position, or are at or below a floor which was raised long enough ago:
     * found through the index on (consumer_id, processed_at), deleted over the primary key. The keys are an array since a join
     * would be planned as a scan of the table. With an id goes what a concurrent failure may have left of its message among
     * the open ones. Gives how many were looked at and how many deleted.
     */
    private static final String PURGE =
            """
            with candidate as materialized (
                select m.message_key, m.source_id, m.source_partition, m.source_offset
                from {message} m
                where m.consumer_id = :consumer and m.processed_at < :until
                order by m.processed_at
                limit :limit
                for update skip locked
            ), gone as (
                delete from {message} where consumer_id = :consumer and message_key = any (array(
                    select c.message_key from candidate c
                    where c.source_id is null or exists (
                        select from {floor} f
                        where f.consumer_id = :consumer and f.source_id = c.source_id
                            and f.source_partition = c.source_partition and f.floor_offset >= c.source_offset
                            and f.raised_at <= clock_timestamp() - make_interval(secs => :margin))))
                returning message_key
            ), closed as (
                delete from {open} where consumer_id = :consumer
                    and message_key in (select message_key from gone)
            )
            select (select count(*) from candidate) as candidates, (select count(*) from gone) as gone
            """;

    /** Deletes the spans that lie before all that is still remembered. */
    private static final String PURGE_ALIVE = "delete from {alive} where consumer_id = :consumer and ended < :until";

    private static final String PURGED = "update {consumer} set purged_at = clock_timestamp() where id = :consumer";

    final String keepOpen;
    final String close;
    final String beat;
    final String lock;
    final String cutoffs;
    final String step;
    final String raise;
    final String raised;
    final String stamp;
    final String purgeFloors;
    final String purge;
    final String purgeAlive;
    final String purged;

    RetentionSql(InboxTables tables) {
        keepOpen = tables.fill(KEEP_OPEN);
        close = tables.fill(CLOSE);
        beat = tables.fill(BEAT);
        lock = tables.fill(LOCK);
        cutoffs = tables.fill(CUTOFFS);
        step = tables.fill(STEP);
        raise = tables.fill(RAISE);
        raised = tables.fill(RAISED);
        stamp = tables.fill(STAMP);
        purgeFloors = tables.fill(PURGE_FLOORS);
        purge = tables.fill(PURGE);
        purgeAlive = tables.fill(PURGE_ALIVE);
        purged = tables.fill(PURGED);
    }
}

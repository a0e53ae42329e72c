package io.inboxkit.outbox.jdbc;

/** The statements of operators, with the names of the tables filled in. */
final class OperationsSql {

    /** Counts over the primary key; the oldest message is the first of it. */
    private static final String BACKLOG =
            """
            select (select count(*) from {message}),
                coalesce((select (extract(epoch from clock_timestamp() - written_at) * 1000)::bigint
                    from {message} order by seq limit 1), 0),
                (select count(*) from {parked})
            """;

    /** Parked messages are few: their table is read as a whole. */
    private static final String FILTER =
            """
            where (cardinality(?::text[]) = 0 or id = any (?::text[]))
                and (?::text is null or destination_scheme || ':' || destination_name = ?::text)
                and (?::bytea is null or key = ?::bytea)
            """;

    private static final String REASON = "    and (?::text is null or position(?::text in error) > 0)\n";

    private static final String LIST =
            """
            select id, destination_scheme, destination_name, type, attempts, written_at, parked_at, error
            from {parked}
            """
                    + FILTER + REASON + "order by seq limit ?";

    /** Tells the owners of partitions; locks their rows, in order. */
    private static final String TELL_OWNERS =
            """
            , told as materialized (
                select number from {partition} where number in (select partition from gone)
                order by number for no key update
            )
            update {partition} p set revision = p.revision + 1 from told where p.number = told.number
            returning (select count(*) from gone)
            """;

    private static final String DISCARD =
            "with gone as (delete from {parked}\n" + FILTER + REASON + "returning partition)\n" + TELL_OWNERS;

    /** Each has its old number, and so its place; the owner reads its partition anew. */
    private static final String RETRY =
            "with gone as (delete from {parked}\n" + FILTER + REASON + "returning *), back as (\n"
                    + """
                    insert into {message} (seq, lane, written_at, partition, id, destination_scheme, destination_name, key, type,
                        content_type, headers, payload)
                    select seq, lane, written_at, partition, id, destination_scheme, destination_name, key, type,
                        content_type, headers, payload
                    from gone
                    )
                    """
                    + TELL_OWNERS;

    /** Each id once. Messages to be published again are new rows, which relays find as they find any. */
    private static final String PUBLISH_AGAIN =
            """
            insert into {message} (lane, partition, id, destination_scheme, destination_name, key, type, content_type, headers,
                payload)
            select lane, partition, id, destination_scheme, destination_name, key, type, content_type, headers, payload
            from (
                select distinct on (id) *
                from {published}
            """
                    + FILTER
                    + """
                    and (?::timestamptz is null or published_at >= ?::timestamptz)
                    and (?::timestamptz is null or published_at < ?::timestamptz)
                order by id, seq
            ) kept
            order by seq
            """;

    final String backlog;
    final String list;
    final String discard;
    final String retry;
    final String publishAgain;

    OperationsSql(OutboxTables tables) {
        backlog = tables.fillIn(BACKLOG);
        list = tables.fillIn(LIST);
        discard = tables.fillIn(DISCARD);
        retry = tables.fillIn(RETRY);
        publishAgain = tables.fillIn(PUBLISH_AGAIN);
    }
}

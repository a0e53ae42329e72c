package io.inboxkit.outbox.jdbc;

/** The statements of a relay, with the names of the tables filled in. */
final class RelaySql {

    /**
     * Comes before a statement, in the same round trip and transaction, and has it planned by its index: the table is nearly empty
     * most of the time, and a plan that was made then would read all of a backlog for each page.
     */
    private static final String BY_INDEX =
            "select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true);\n";

    /**
     * Takes a snapshot; looks for what is visible in it and was not in the one before, over the index on (xid, seq): the
     * transactions that were under way then and have ended, and all that came later. Only their beginning is read, or what is
     * new. The numbers of a snapshot say nothing of transactions from its xmax on, some of which may have been under way as well.
     */
    private static final String BEGIN =
            """
            with now as materialized (select pg_current_snapshot() as snapshot)
            select now.snapshot::text, least(
                (select min(late.seq)
                    from unnest(?::text::xid8[]) as ended (xid)
                    cross join lateral (
                        select m.seq from {message} m where m.xid = ended.xid order by m.seq limit 1
                    ) late
                    where pg_visible_in_snapshot(ended.xid, now.snapshot)),
                (select min(m.seq) from {message} m where m.xid >= ?::text::xid8))
            from now
            """;

    /** Only takes a snapshot. */
    private static final String SNAPSHOT = "select pg_current_snapshot()::text";

    /**
     * Reads messages over the primary key, as many as fit into a number of bytes. The sizes are told by the heads of large values,
     * without reading them.
     */
    private static final String READ =
            """
            select seq, partition, lane, attempts, age, id, destination_scheme, destination_name, key, type, content_type,
                headers, payload, found
            from (
                select page.*, count(*) over () as found, sum(size) over (order by seq) - size as size_before
                from (
                    select seq, partition, lane, attempts, id, destination_scheme, destination_name, key, type, content_type,
                        headers, payload,
                        (extract(epoch from clock_timestamp() - written_at) * 1000000)::bigint as age,
                        coalesce(octet_length(payload), 0) + coalesce(octet_length(headers), 0) as size
                    from {message}
                    where seq > ? and partition = any (?)
                        and pg_visible_in_snapshot(xid, ?::pg_snapshot)
                        and not pg_visible_in_snapshot(xid, ?::pg_snapshot)
                        and (lane is null or lane <> all (?))
                        and destination_scheme || ':' || destination_name <> all (?)
                        {region}
                    order by seq
                    limit ?
                ) page
            ) counted
            where size_before < ?
            order by seq
            """;

    /** Removes what was published, over the primary key. */
    private static final String PUBLISHED = "delete from {message} where seq = any (?)";

    /** Moves what was published to the table of its day, over the primary key. */
    private static final String PUBLISHED_AND_KEPT =
            """
            with gone as (delete from {message} where seq = any (?) returning *)
            insert into {published} (seq, lane, written_at, partition, id, destination_scheme, destination_name, key, type,
                content_type, headers, payload)
            select seq, lane, written_at, partition, id, destination_scheme, destination_name, key, type, content_type,
                headers, payload
            from gone
            """;

    /**
     * The partitions that are still owned, locked against a change of the owner until the end of the transaction: what follows
     * is done by their owner, or not at all.
     */
    private static final String STILL_OWNED =
            """
            with fault as materialized (
                select * from unnest(?::bigint[], ?::smallint[], ?::text[], ?::bigint[], ?::smallint[], ?::text[])
                    as f (seq, partition, owner, epoch, attempts, error)
            ), owned as materialized (
                select p.number, p.owner, p.epoch
                from {partition} p join {relay} r on r.id = p.owner
                where r.lease_until > clock_timestamp()
                    and (p.number, p.owner, p.epoch) in (select partition, owner, epoch from fault)
                for share of p
            )
            """;

    /** Counts attempts, over the primary key. */
    private static final String FAILED = STILL_OWNED
            + """
            update {message} m set attempts = fault.attempts, error = fault.error
            from fault join owned on owned.number = fault.partition
                and owned.owner = fault.owner and owned.epoch = fault.epoch
            where m.seq = fault.seq
            returning m.seq
            """;

    /** Moves messages to the parked ones, over the primary key. */
    private static final String PARK = STILL_OWNED
            + """
            , gone as (
                delete from {message} m
                using fault join owned on owned.number = fault.partition
                    and owned.owner = fault.owner and owned.epoch = fault.epoch
                where m.seq = fault.seq
                returning m.*, fault.attempts as attempts_now, fault.error as error_now
            )
            insert into {parked} (seq, lane, written_at, partition, attempts, id, destination_scheme, destination_name, key,
                type, content_type, headers, payload, error)
            select seq, lane, written_at, partition, attempts_now, id, destination_scheme, destination_name, key, type,
                content_type, headers, payload, error_now
            from gone
            returning seq
            """;

    /** Reads the index on (partition, lane). */
    private static final String LANES_WITH_PARKED =
            "select distinct partition, lane from {parked} where partition = any (?) and lane is not null";

    final String begin;
    final String snapshot = SNAPSHOT;
    final String read;
    final String readLane;
    final String readDestination;
    final String published;
    final String failed;
    final String park;
    final String lanesWithParked;

    RelaySql(OutboxTables tables, boolean keepPublished) {
        begin = BY_INDEX + tables.fillIn(BEGIN);
        read = read("", tables);
        readLane = read("and lane = ?", tables);
        readDestination = read("and destination_scheme = ? and destination_name = ?", tables);
        published = BY_INDEX + tables.fillIn(keepPublished ? PUBLISHED_AND_KEPT : PUBLISHED);
        failed = BY_INDEX + tables.fillIn(FAILED);
        park = BY_INDEX + tables.fillIn(PARK);
        lanesWithParked = tables.fillIn(LANES_WITH_PARKED);
    }

    private static String read(String region, OutboxTables tables) {
        return BY_INDEX + tables.fillIn(READ).replace("{region}", region);
    }
}

package io.inboxkit.outbox.jdbc;

/** The statements by which relays share the partitions, with the names of the tables filled in. */
final class PartitionSql {

    private static final String JOIN =
            "insert into {relay} (id, lease_until) values (?, clock_timestamp() + ? * interval '1 millisecond')";

    /** Locks the relay's own row; who has found the lease ended has removed it, or waits for this and finds it prolonged. */
    private static final String RENEW =
            """
            update {relay} set lease_until = clock_timestamp() + ? * interval '1 millisecond'
            where id = ? and lease_until > clock_timestamp()
            """;

    /** Reads two small tables whole; takes no lock. */
    private static final String SHARES =
            """
            select p.number, p.owner, p.epoch, p.revision, r.id is not null as owner_lives,
                (select count(*) from {relay} where lease_until > clock_timestamp()) as relays
            from {partition} p
            left join {relay} r on r.id = p.owner and r.lease_until > clock_timestamp()
            order by p.number
            """;

    /**
     * Takes partitions without a living owner. Relays whose lease has ended are removed first, under the lock of their rows, so
     * that they cannot prolong it at the same moment; rows of partitions that others take now are skipped.
     */
    private static final String TAKE =
            """
            with dead as (
                delete from {relay} where lease_until <= clock_timestamp() returning id
            ), free as (
                select p.number from {partition} p
                where p.owner is null
                    or p.owner in (select id from dead)
                    or not exists (select from {relay} r where r.id = p.owner)
                order by p.number
                limit ?
                for update of p skip locked
            )
            update {partition} p set owner = ?, epoch = p.epoch + 1
            from free where p.number = free.number
            returning p.number, p.owner, p.epoch, p.revision
            """;

    /** Compares and sets, row by row of the primary key. */
    private static final String RELEASE = "update {partition} set owner = null where number = any (?) and owner = ?";

    private static final String RELEASE_ALL = "update {partition} set owner = null where owner = ?";

    private static final String LEAVE = "delete from {relay} where id = ?";

    final String join;
    final String renew;
    final String shares;
    final String take;
    final String release;
    final String releaseAll;
    final String leave;

    PartitionSql(OutboxTables tables) {
        join = tables.fillIn(JOIN);
        renew = tables.fillIn(RENEW);
        shares = tables.fillIn(SHARES);
        take = tables.fillIn(TAKE);
        release = tables.fillIn(RELEASE);
        releaseAll = tables.fillIn(RELEASE_ALL);
        leave = tables.fillIn(LEAVE);
    }
}

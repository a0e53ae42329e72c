package io.inboxkit.jdbc;

/** The statements about tracked positions, with the names of the tables filled in. */
final class PositionSql {

    /**
     * Advances one position, if it is behind. Relies on the primary key: it arbitrates between two that see a partition for the
     * first time, and the row is locked whether it is advanced or not, so that of two owners of a partition the second one waits
     * and then sees how far the first one has come. The wait is bounded by a lock_timeout that is set before and put back
     * after, both in this statement. Gives no row if the consumer is not in its table.
     */
    private static final String ADVANCE =
            """
            with bound as materialized (
                select c.id, o.old_timeout, set_config('lock_timeout', ?, true)
                from (select current_setting('lock_timeout') as old_timeout offset 0) o
                join {consumer} c on c.id = ?::integer
            ), advanced as (
                insert into {position} as p (consumer_id, source_id, source_partition, next_offset, leader_epoch)
                select bound.id, ?::uuid, ?::integer, ?::bigint, ?::integer from bound
                on conflict (consumer_id, source_id, source_partition) do update
                set previous_offset = p.next_offset, next_offset = excluded.next_offset,
                    previous_epoch = p.leader_epoch, leader_epoch = coalesce(excluded.leader_epoch, p.leader_epoch)
                where case when excluded.leader_epoch <> p.leader_epoch
                    then excluded.leader_epoch > p.leader_epoch
                    else excluded.next_offset > p.next_offset end
                returning true as is_advanced, previous_offset, previous_epoch
            )
            select advanced.is_advanced, advanced.previous_offset, advanced.previous_epoch,
                   set_config('lock_timeout', bound.old_timeout, true)
            from bound left join advanced on true
            """;

    /** Deletes all positions of a consumer that is retired, over the primary key; there are few. */
    private static final String RETIRE = "delete from {position} where consumer_id = :consumer";

    final String advance;
    final String retire;

    PositionSql(InboxTables tables) {
        advance = named(ADVANCE, tables);
        retire = named(RETIRE, tables);
    }

    private static String named(String statement, InboxTables tables) {
        return statement.replace("{position}", tables.position()).replace("{consumer}", tables.consumer());
    }
}

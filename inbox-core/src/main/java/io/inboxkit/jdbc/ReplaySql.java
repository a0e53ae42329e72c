package io.inboxkit.jdbc;

/** The statements of replays, with the names of their tables filled in. Rows of runs are few; all are found by unique keys. */
final class ReplaySql {

    /** Gives the new id, or no row if there is a run of this name; waits, on the unique key, for one that is being made. */
    private static final String CREATE =
            """
            insert into {replay} (name, listener, mode, dead_letters, on_failure, rate, state, owner, seen_at)
            values (:name, :listener, :mode, :deadLetters, :onFailure, :rate, 'RUNNING', :owner, clock_timestamp())
            on conflict (name) do nothing
            returning id
            """;

    /** Foreign key to the run, whose row was made in the same transaction. */
    private static final String ADD_PARTITION =
            """
            insert into {replay_partition}
                (replay_id, topic, topic_partition, topic_id, from_offset, end_offset, next_offset)
            values (:replay, :topic, :partition, cast(:topicId as uuid), :from, :end, :from)
            """;

    private static final String COLUMNS =
            """
            select r.*, coalesce(r.seen_at > clock_timestamp() - make_interval(secs => :silence), false) as owned
            from {replay} r
            """;

    private static final String FIND = COLUMNS + "where r.name = :name";

    private static final String LIST = COLUMNS + "order by r.started_at, r.id";

    private static final String PARTITIONS =
            "select * from {replay_partition} where replay_id = :replay order by topic, topic_partition";

    private static final String FAILURES =
            """
            select * from {replay_failure} where replay_id = :replay
            order by topic, topic_partition, topic_offset limit :limit
            """;

    /**
     * Makes somebody the owner of a run that nobody works on. Locks the row of the run, so that of two instances the second
     * sees what the first has done.
     */
    private static final String TAKE =
            """
            update {replay} set
                owner = :owner, seen_at = clock_timestamp(), state = 'RUNNING', reason = null, ended_at = null,
                stop_requested = false
            where name = :name
                and (state = 'RUNNING' and (owner is null or seen_at < clock_timestamp() - make_interval(secs => :silence))
                    or :stopped and state in ('STOPPED', 'FAILED'))
            """;

    /** A sign of life; gives no row to one that is no longer the owner. */
    private static final String BEAT =
            """
            update {replay} set seen_at = clock_timestamp() where id = :replay and owner = :owner
            returning stop_requested
            """;

    /** Changes nothing for one that is no longer the owner. */
    private static final String SAVE =
            """
            update {replay} set
                seen_at = clock_timestamp(), handled = :handled, skipped = :skipped, stale = :stale, failed = :failed
            where id = :replay and owner = :owner
            """;

    private static final String SAVE_PARTITION =
            """
            update {replay_partition} set
                next_offset = :next, processed = :processed, open = :open, missing = :missing,
                below_floor = :belowFloor, without_id = :withoutId, foreign_records = :foreignRecords
            where replay_id = :replay and topic = :topic and topic_partition = :partition
            """;

    private static final String ADD_FAILURE =
            """
            insert into {replay_failure} (replay_id, topic, topic_partition, topic_offset, reason)
            values (:replay, :topic, :partition, :offset, :reason)
            on conflict do nothing
            """;

    /** The end of a run, or of this owner's work on it. */
    private static final String END =
            """
            update {replay} set
                state = :state, reason = :reason, owner = null, seen_at = null, stop_requested = false,
                ended_at = case when :state <> 'RUNNING' then clock_timestamp() end
            where id = :replay and owner = :owner
            """;

    /** A run without a living owner is stopped at once, the others by their owner at its next sign of life. */
    private static final String STOP =
            """
            update {replay} set
                stop_requested = true,
                state = case when owner is null or seen_at < clock_timestamp() - make_interval(secs => :silence)
                    then 'STOPPED' else state end,
                reason = 'stopped by an operator'
            where name = :name and state = 'RUNNING'
            """;

    /** Runs that nobody works on, although nobody has stopped them. */
    private static final String ABANDONED =
            """
            select name from {replay}
            where state = 'RUNNING' and (owner is null or seen_at < clock_timestamp() - make_interval(secs => :silence))
            order by id
            """;

    /** Over the primary key, in small batches; nobody else touches the rows of a run that is over. */
    private static final String FORGET_HANDLED =
            """
            delete from {replay_message} where ctid = any (array(
                select ctid from {replay_message} where replay_id = :replay limit :limit))
            """;

    /**
     * Notes messages as handled in a run and gives those that were not yet, in the order of the primary key, so that two of
     * these never wait for each other in a circle. The wait for another owner of the run, which must be on its way out, is
     * bounded as that of a claim. One that is no longer the owner notes nothing.
     */
    private static final String CLAIM =
            """
            with bound as materialized (
                select old_timeout, set_config('lock_timeout', ?, true)
                from (select current_setting('lock_timeout') as old_timeout offset 0) o
            ), message as materialized (
                select m.*, bound.old_timeout
                from bound, unnest(?::integer[], ?::uuid[], ?::uuid[], ?::integer[], ?::bigint[])
                    as m (consumer_id, message_key, source_id, source_partition, source_offset)
            ), claimed as (
                insert into {replay_message}
                    (replay_id, consumer_id, message_key, source_id, source_partition, source_offset)
                select r.id, m.consumer_id, m.message_key, m.source_id, m.source_partition, m.source_offset
                from message m join {replay} r on r.id = ?::integer and r.owner = ?::uuid
                order by m.consumer_id, m.message_key
                on conflict do nothing
                returning consumer_id, message_key
            )
            select message.consumer_id, message.message_key, claimed.message_key is not null as is_new,
                   set_config('lock_timeout', message.old_timeout, true)
            from message left join claimed using (consumer_id, message_key)
            """;

    /** Reads what a run has handled, over the primary key; newer than the claim, which may have waited for it. */
    private static final String HANDLED =
            """
            select source_id, source_partition, source_offset from {replay_message}
            where replay_id = ? and consumer_id = ? and message_key = ?
            """;

    /**
     * Reads what is known of messages over the primary key, which the offset keeps the planner to, and over the keys of open
     * messages and floors; takes no lock. No row for one whose consumer is unknown.
     */
    private static final String LOOK_UP =
            """
            select k.number, known.*, {isOpen} as is_open, {stale} as is_stale
            from (
                select c.id as consumer_id, m.*
                from unnest(?::text[], ?::uuid[], ?::uuid[], ?::integer[], ?::bigint[]) with ordinality
                    as m (consumer, message_key, source_id, source_partition, source_offset, number)
                join {consumer} c on c.name = m.consumer
            ) k
            left join lateral (
                select m.processed_at, m.fingerprint, m.source_id, m.source_partition, m.source_offset
                from {message} m
                where m.consumer_id = k.consumer_id and m.message_key = k.message_key
                offset 0
            ) known on true
            """;

    final String create;
    final String addPartition;
    final String find;
    final String list;
    final String partitions;
    final String failures;
    final String take;
    final String beat;
    final String save;
    final String savePartition;
    final String addFailure;
    final String end;
    final String stop;
    final String abandoned;
    final String forgetHandled;
    final String claim;
    final String handled;
    final String lookUp;

    ReplaySql(InboxTables tables) {
        create = named(CREATE, tables);
        addPartition = named(ADD_PARTITION, tables);
        find = named(FIND, tables);
        list = named(LIST, tables);
        partitions = named(PARTITIONS, tables);
        failures = named(FAILURES, tables);
        take = named(TAKE, tables);
        beat = named(BEAT, tables);
        save = named(SAVE, tables);
        savePartition = named(SAVE_PARTITION, tables);
        addFailure = named(ADD_FAILURE, tables);
        end = named(END, tables);
        stop = named(STOP, tables);
        abandoned = named(ABANDONED, tables);
        forgetHandled = named(FORGET_HANDLED, tables);
        claim = named(CLAIM, tables);
        handled = named(HANDLED, tables);
        lookUp = named(LOOK_UP.replace("{stale}", InboxSql.IS_STALE).replace("{isOpen}", InboxSql.IS_OPEN), tables);
    }

    private static String named(String statement, InboxTables tables) {
        return tables.fill(statement)
                .replace("{replay}", tables.replay())
                .replace("{replay_partition}", tables.replayPartition())
                .replace("{replay_failure}", tables.replayFailure())
                .replace("{replay_message}", tables.replayMessage());
    }
}

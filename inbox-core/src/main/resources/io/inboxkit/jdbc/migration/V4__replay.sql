-- Replays on purpose: what each run reads, how far it has come, and what became of it. Runs as it is; see V1__inbox.sql.

-- One row per run. Whoever works on a run is its owner for as long as it gives signs of life, by the clock of the database.
create table /*prefix*/inbox_replay (
    id integer not null generated always as identity,
    name text not null,
    listener text not null,
    mode text not null,
    dead_letters boolean not null,
    on_failure text not null,
    rate integer,
    state text not null,
    reason text,
    stop_requested boolean not null default false,
    owner uuid,
    seen_at timestamptz,
    started_at timestamptz not null default clock_timestamp(),
    ended_at timestamptz,
    handled bigint not null default 0,
    skipped bigint not null default 0,
    stale bigint not null default 0,
    failed bigint not null default 0,
    constraint /*prefix*/inbox_replay_pk primary key (id),
    constraint /*prefix*/inbox_replay_name_uq unique (name)
);

-- What a run reads of one partition: from_offset up to, but without, end_offset; next_offset is where it goes on.
create table /*prefix*/inbox_replay_partition (
    replay_id integer not null,
    topic text not null,
    topic_partition integer not null,
    topic_id uuid,
    from_offset bigint not null,
    end_offset bigint not null,
    next_offset bigint not null,
    processed bigint not null default 0,
    open bigint not null default 0,
    missing bigint not null default 0,
    below_floor bigint not null default 0,
    without_id bigint not null default 0,
    foreign_records bigint not null default 0,
    constraint /*prefix*/inbox_replay_partition_pk primary key (replay_id, topic, topic_partition),
    constraint /*prefix*/inbox_replay_partition_run_fk foreign key (replay_id)
        references /*prefix*/inbox_replay (id) on delete cascade
);

-- The records of a run that failed for good.
create table /*prefix*/inbox_replay_failure (
    replay_id integer not null,
    topic text not null,
    topic_partition integer not null,
    topic_offset bigint not null,
    reason text not null,
    failed_at timestamptz not null default clock_timestamp(),
    constraint /*prefix*/inbox_replay_failure_pk primary key (replay_id, topic, topic_partition, topic_offset),
    constraint /*prefix*/inbox_replay_failure_run_fk foreign key (replay_id)
        references /*prefix*/inbox_replay (id) on delete cascade
);

-- What a run that handles everything once more has handled, so that it does so once, however often it is interrupted. Without
-- a foreign key, which would lock the run's row for each of them; they are deleted when the run is over.
create table /*prefix*/inbox_replay_message (
    replay_id integer not null,
    consumer_id integer not null,
    message_key uuid not null,
    source_id uuid,
    source_partition integer,
    source_offset bigint,
    constraint /*prefix*/inbox_replay_message_pk primary key (replay_id, consumer_id, message_key)
);

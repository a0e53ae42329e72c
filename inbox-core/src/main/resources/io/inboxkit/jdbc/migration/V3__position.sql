-- How far each consumer that tracks positions has come in each partition of a topic: one row, however many messages. The
-- columns previous_* hold what an advance has replaced, which no older PostgreSQL returns by itself.
create table /*prefix*/inbox_position (
    consumer_id integer not null,
    source_partition integer not null,
    source_id uuid not null,
    next_offset bigint not null,
    previous_offset bigint,
    leader_epoch integer,
    previous_epoch integer,
    constraint /*prefix*/inbox_position_pk primary key (consumer_id, source_id, source_partition)
) with (
    -- The few rows are updated all the time, in place: no index but the key, and room for new versions in the same page.
    fillfactor = 50
);

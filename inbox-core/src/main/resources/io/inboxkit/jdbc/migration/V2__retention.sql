-- What is kept beyond the ids themselves: messages that are open, floors, and when consumers were alive.

alter table /*prefix*/inbox_consumer
    -- The messages that were claimed before this time are at or below a floor.
    add column floored_until timestamptz,
    -- When the floors were last raised, and when a purge of the consumer last came to its end.
    add column floored_at timestamptz,
    add column purged_at timestamptz;

-- Messages that failed or were refused, and have not been processed since. No claims: a row here keeps nobody from anything.
-- A message without an id of its own has a key that is made of its position.
create table /*prefix*/inbox_open (
    consumer_id integer not null,
    source_partition integer,
    source_offset bigint,
    message_key uuid not null,
    source_id uuid,
    attempts integer not null default 1,
    opened_at timestamptz not null default clock_timestamp(),
    failed_at timestamptz not null default clock_timestamp(),
    scope text,
    message_id text,
    reason text not null,
    constraint /*prefix*/inbox_open_pk primary key (consumer_id, message_key)
);

-- A message that is open under no id of its own is found by its position.
create index /*prefix*/inbox_open_source_ix
    on /*prefix*/inbox_open (consumer_id, source_id, source_partition, source_offset);

-- Up to where the ids of a partition may be gone. One row for each time that the floor was raised; the highest counts. The
-- time is that after the raise was committed, and null until then.
create table /*prefix*/inbox_floor (
    consumer_id integer not null,
    source_partition integer not null,
    floor_offset bigint not null,
    source_id uuid not null,
    raised_at timestamptz,
    constraint /*prefix*/inbox_floor_pk primary key (consumer_id, source_id, source_partition, floor_offset)
);

-- The times in which a consumer was alive. They may overlap.
create table /*prefix*/inbox_alive (
    consumer_id integer not null,
    began timestamptz not null,
    ended timestamptz not null,
    constraint /*prefix*/inbox_alive_pk primary key (consumer_id, began)
);

-- The tables of the inbox. This file runs as it is, in the schema that the search path names; the comments before the
-- names take the table prefix where there is one.

-- Consumers by name. The id is drawn at random and not taken from a sequence, so that a table that was emptied or restored
-- under a running application can never give the id of one consumer to another.
create table /*prefix*/inbox_consumer (
    id integer not null,
    name text not null,
    retention interval not null,
    created_at timestamptz not null default clock_timestamp(),
    constraint /*prefix*/inbox_consumer_pk primary key (id),
    constraint /*prefix*/inbox_consumer_name_uq unique (name)
);

-- One row per message and consumer. The primary key decides which of two deliveries was first; it is free of time on
-- purpose (a key with a partition column of time would let the same id in twice).
create table /*prefix*/inbox_message (
    consumer_id integer not null,
    source_partition integer,
    processed_at timestamptz not null default clock_timestamp(),
    source_offset bigint,
    message_key uuid not null,
    source_id uuid,
    fingerprint bytea,
    constraint /*prefix*/inbox_message_pk primary key (consumer_id, message_key)
) with (
    -- Rows are inserted and, a retention later, deleted in their order: small, frequent clean-ups instead of rare large ones.
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_insert_scale_factor = 0.05,
    autovacuum_analyze_scale_factor = 0.02
);

-- The purge reads the oldest ids of one consumer through this index.
create index /*prefix*/inbox_message_processed_at_ix on /*prefix*/inbox_message (consumer_id, processed_at);

-- What the relay keeps: who owns which partition, and the messages that could not be published.

-- The relays that live. One whose lease has ended is removed by whoever takes its partitions, so that it cannot come back.
create table /*prefix*/outbox_relay (
    lease_until timestamptz not null,
    started_at timestamptz not null default clock_timestamp(),
    id text not null,
    constraint /*prefix*/outbox_relay_pk primary key (id)
);

-- The messages of a partition are published by its owner only. The epoch grows with each owner, and what only an owner may do is
-- done under the condition that it still is the one. The revision tells the owner that an operator has changed what is parked.
create table /*prefix*/outbox_partition (
    number smallint not null,
    owner text,
    epoch bigint not null default 0,
    revision bigint not null default 0,
    constraint /*prefix*/outbox_partition_pk primary key (number)
);

insert into /*prefix*/outbox_partition (number) select generate_series(0, 31);

-- Messages that could not be published, with the number that they have among those of their key.
create table /*prefix*/outbox_parked (
    seq bigint not null,
    lane bigint,
    written_at timestamptz not null,
    parked_at timestamptz not null default clock_timestamp(),
    partition smallint not null,
    attempts smallint not null,
    id text not null,
    destination_scheme text not null,
    destination_name text not null,
    key bytea,
    type text,
    content_type text,
    headers bytea,
    payload bytea,
    error text not null,
    constraint /*prefix*/outbox_parked_pk primary key (seq)
);

-- Which keys wait behind a parked message.
create index /*prefix*/outbox_parked_lane_ix on /*prefix*/outbox_parked (partition, lane);

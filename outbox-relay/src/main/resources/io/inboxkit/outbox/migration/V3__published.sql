-- Published messages, where they are kept: moved here, by day, so that a day is dropped as a whole.

create table /*prefix*/outbox_published (
    seq bigint not null,
    lane bigint,
    written_at timestamptz not null,
    published_at timestamptz not null default clock_timestamp(),
    partition smallint not null,
    id text not null,
    destination_scheme text not null,
    destination_name text not null,
    key bytea,
    type text,
    content_type text,
    headers bytea,
    payload bytea
) partition by range (published_at);

create index /*prefix*/outbox_published_id_ix on /*prefix*/outbox_published (id);

-- For the case that nobody has made a table for the day: nothing must keep a published message from being removed.
create table /*prefix*/outbox_published_other partition of /*prefix*/outbox_published default;

-- No unique constraint on order_id, on purpose: nothing but the inbox stands between a duplicate and a second payment.
create table if not exists payment (
    payment_id bigint generated always as identity primary key,
    order_id text not null,
    amount numeric(12, 2) not null,
    paid_at timestamptz not null default now()
);

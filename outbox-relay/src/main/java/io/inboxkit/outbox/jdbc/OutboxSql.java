package io.inboxkit.outbox.jdbc;

/** Every statement of the outbox, with the names of its tables filled in. */
final class OutboxSql {

    /** Writes one message; locks nothing but its own index entries. */
    private static final String INSERT =
            """
            insert into {message} (lane, partition, id, destination_scheme, destination_name, key, type, content_type,
                headers, payload)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """;

    /** Writes many messages; the numbers are drawn in the order of the arrays, after the sort. */
    private static final String INSERT_ALL =
            """
            insert into {message} (lane, partition, id, destination_scheme, destination_name, key, type, content_type,
                headers, payload)
            select lane, partition, id, scheme, name, key, type, content_type, headers, payload
            from unnest(?::bigint[], ?::smallint[], ?::text[], ?::text[], ?::text[], ?::bytea[], ?::text[], ?::text[],
                ?::bytea[], ?::bytea[])
                with ordinality as m (lane, partition, id, scheme, name, key, type, content_type, headers, payload, place)
            order by place
            """;

    /** Wakes relays. In a transaction of its own: the commit of one that notifies locks out all others that do. */
    static final String NOTIFY = "select pg_notify('" + WakeUpChannel.NAME + "', ?)";

    final String insert;
    final String insertAll;

    OutboxSql(OutboxTables tables) {
        insert = named(INSERT, tables);
        insertAll = named(INSERT_ALL, tables);
    }

    private static String named(String statement, OutboxTables tables) {
        return statement.replace("{message}", tables.message());
    }
}

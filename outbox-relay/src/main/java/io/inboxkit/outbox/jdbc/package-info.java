/** The outbox on PostgreSQL: every SQL statement, the schema, and the signal to relays. */
@NullMarked
package io.inboxkit.outbox.jdbc;

import org.jspecify.annotations.NullMarked;

/** The inbox on Spring JDBC and PostgreSQL. */
@NullMarked
package io.inboxkit.jdbc;

import org.jspecify.annotations.NullMarked;

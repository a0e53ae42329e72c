/**
 * The stage on which the billing application is tried: services, a producer that retries, a consumer process that is
 * killed, a group that is rewound, and the count at the end.
 */
@NullMarked
package io.inboxkit.demo;

import org.jspecify.annotations.NullMarked;

package io.inboxkit.demo.billing;

import java.math.BigDecimal;

/**
 * The event that a shop sends for each order.
 *
 * @param orderId the number of the order
 * @param amount what it costs, in euros
 */
record OrderPlaced(String orderId, BigDecimal amount) {}

package io.inboxkit.jdbc;

/**
 * A record of a run that failed for good.
 *
 * @param reason why, without anything of its payload
 */
public record ReplayFailureRow(String topic, int partition, long offset, String reason) {}

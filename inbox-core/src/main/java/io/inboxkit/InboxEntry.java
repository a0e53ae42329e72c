package io.inboxkit;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the inbox knows of one message.
 *
 * @param state the state of the message
 * @param processedAt when it was claimed, by the clock of the database; {@code null} unless it is processed
 * @param position where its first delivery stood; {@code null} where the transport has no positions
 */
public record InboxEntry(EntryState state, @Nullable Instant processedAt, @Nullable Position position) {}

package io.inboxkit.kafka;

import org.jspecify.annotations.Nullable;

/** What happens to a record between its container and its handler. */
interface DeliveryHandling {

    /** The return value of the handler, or {@code null} if it was not called. */
    @Nullable
    Object handle(RecordDelivery delivery);
}

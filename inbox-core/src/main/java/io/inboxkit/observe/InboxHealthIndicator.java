package io.inboxkit.observe;

import io.inboxkit.ConsumerStatus;
import io.inboxkit.HeldDeliveries;
import io.inboxkit.HeldDeliveries.HeldDelivery;
import io.inboxkit.Inbox;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * DOWN while a delivery is held, with what holds it and where it stands; never with an id or a payload. Beside that, consumers
 * with open messages and those that have been silent for four retentions; neither is DOWN.
 */
public final class InboxHealthIndicator extends AbstractHealthIndicator {

    private static final int MOST_SHOWN = 20;

    private final HeldDeliveries held;
    private final List<Inbox> inboxes;

    /**
     * @param held the deliveries that are held
     * @param inboxes those whose consumers are told of
     */
    public InboxHealthIndicator(HeldDeliveries held, List<Inbox> inboxes) {
        super("The health of the inbox could not be told");
        this.held = held;
        this.inboxes = List.copyOf(inboxes);
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        List<HeldDelivery> deliveries = held.list();
        if (deliveries.isEmpty()) {
            builder.up();
        } else {
            builder.down();
        }
        builder.withDetail("held", deliveries.size());
        if (!deliveries.isEmpty()) {
            builder.withDetail(
                    "deliveries",
                    deliveries.stream()
                            .limit(MOST_SHOWN)
                            .map(InboxHealthIndicator::details)
                            .toList());
        }
        try {
            consumers(
                    builder,
                    inboxes.stream()
                            .flatMap(inbox -> inbox.consumers().stream())
                            .toList());
        } catch (RuntimeException e) {
            // The health of the database is told by its own indicator.
            builder.withDetail("consumers", "cannot be read: " + e.getMessage());
        }
    }

    private static void consumers(Health.Builder builder, List<ConsumerStatus> consumers) {
        builder.withDetail(
                "open", consumers.stream().mapToLong(ConsumerStatus::open).sum());
        Map<String, Object> open = new LinkedHashMap<>();
        consumers.stream()
                .filter(consumer -> consumer.open() > 0)
                .limit(MOST_SHOWN)
                .forEach(consumer -> open.put(
                        consumer.consumer(),
                        Map.of("messages", consumer.open(), "oldest", String.valueOf(consumer.oldestOpen()))));
        if (!open.isEmpty()) {
            builder.withDetail("openMessages", open);
        }
        List<String> silent = consumers.stream()
                .filter(ConsumerStatus::silent)
                .map(ConsumerStatus::consumer)
                .toList();
        if (!silent.isEmpty()) {
            builder.withDetail(
                    "silentConsumers", silent.stream().limit(MOST_SHOWN).toList());
        }
        consumers.stream()
                .map(ConsumerStatus::purgedAt)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .ifPresent(at -> builder.withDetail("lastPurge", at));
    }

    private static Map<String, Object> details(HeldDelivery delivery) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("listener", delivery.listener());
        details.put("position", delivery.position());
        details.put("since", delivery.since());
        details.put("cause", String.valueOf(delivery.cause().getMessage()));
        return details;
    }
}

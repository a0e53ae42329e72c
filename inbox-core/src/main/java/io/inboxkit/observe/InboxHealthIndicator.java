package io.inboxkit.observe;

import io.inboxkit.HeldDeliveries;
import io.inboxkit.HeldDeliveries.HeldDelivery;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** DOWN while a delivery is held, with what holds it and where it stands; never with an id or a payload. */
public final class InboxHealthIndicator extends AbstractHealthIndicator {

    private static final int MOST_SHOWN = 20;

    private final HeldDeliveries held;

    /**
     * @param held the deliveries that are held
     */
    public InboxHealthIndicator(HeldDeliveries held) {
        super("The health of the inbox could not be told");
        this.held = held;
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

package io.inboxkit.benchmarks;

import io.inboxkit.Position;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The deliveries of one thread for one variant: new messages with random ids (UUID version 4), and messages that the same thread has
 * had before, sent again by their producer. Not thread-safe.
 */
final class Deliveries {

    private static final UUID TOPIC = new UUID(0x1b0cL, 0x8000_0000_0000_0001L);
    private static final int REMEMBERED = 256;
    private static final String FILLER = "x".repeat(160);

    private final SplittableRandom random;
    private final int partition;
    private final int duplicatePercent;
    private final Delivery[] delivered = new Delivery[REMEMBERED];
    private long offset;

    Deliveries(long seed, int partition, int duplicatePercent) {
        this.random = new SplittableRandom(seed);
        this.partition = partition;
        this.duplicatePercent = duplicatePercent;
    }

    Delivery next() {
        int known = (int) Math.min(offset, REMEMBERED);
        Delivery delivery = known > 0 && random.nextInt(100) < duplicatePercent
                ? delivered[random.nextInt(known)].at(new Position(TOPIC, partition, offset))
                : fresh();
        delivered[(int) (offset++ % REMEMBERED)] = delivery;
        return delivery;
    }

    List<Delivery> list(int size) {
        return Stream.generate(this::next).limit(size).toList();
    }

    private Delivery fresh() {
        UUID id = new UUID(
                (random.nextLong() & 0xffff_ffff_ffff_0fffL) | 0x4000L,
                (random.nextLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L);
        int amount = random.nextInt(1, 100_000);
        String payload = "{\"paymentId\":\"%s\",\"amount\":%d,\"currency\":\"EUR\",\"reference\":\"%s\"}"
                .formatted(id, amount, FILLER);
        return new Delivery(id.toString(), payload, new Position(TOPIC, partition, offset), amount);
    }
}

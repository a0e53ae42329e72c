package io.inboxkit.kafka.observe;

import io.inboxkit.kafka.ReplayFailurePolicy;
import io.inboxkit.kafka.ReplayMode;
import io.inboxkit.kafka.ReplayRequest;
import io.inboxkit.kafka.ReplayRun;
import io.inboxkit.kafka.TopicReplay;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/** Starts, stops and resumes replays and shows them. What is refused is a bad request that says why. */
@Endpoint(id = "inboxreplay")
public final class ReplayEndpoint {

    private final TopicReplay replay;

    /**
     * @param replay does what is asked for
     */
    public ReplayEndpoint(TopicReplay replay) {
        this.replay = replay;
    }

    /** All runs. */
    @ReadOperation
    public Map<String, List<ReplayRun>> runs() {
        return Map.of("runs", replay.status());
    }

    /** One run. */
    @ReadOperation
    public ReplayRun run(@Selector String name) {
        return answer(() -> replay.status(name));
    }

    /**
     * Starts a run; the parameters are those of {@link ReplayRequest}.
     *
     * @param from a time such as {@code 2030-01-31T12:00:00Z}
     * @param to likewise
     */
    @WriteOperation
    public ReplayRun start(
            String name,
            String listener,
            @Nullable ReplayMode mode,
            @Nullable List<String> topics,
            @Nullable List<String> deadLetters,
            @Nullable List<Integer> partitions,
            @Nullable Long fromOffset,
            @Nullable Long toOffset,
            @Nullable String from,
            @Nullable String to,
            @Nullable Integer rate,
            @Nullable ReplayFailurePolicy onFailure) {
        return answer(() -> {
            ReplayRequest request = ReplayRequest.of(name, listener);
            request = mode == null ? request : request.mode(mode);
            request = onFailure == null ? request : request.onFailure(onFailure);
            request = rate == null ? request : request.rate(rate);
            request = topics == null ? request : request.topics(topics.toArray(String[]::new));
            request = deadLetters == null ? request : request.deadLetters(deadLetters.toArray(String[]::new));
            request = partitions == null ? request : request.partitions(partitions.toArray(Integer[]::new));
            request = fromOffset == null ? request : request.fromOffset(fromOffset);
            request = toOffset == null ? request : request.toOffset(toOffset);
            request = from == null ? request : request.from(time(from));
            request = to == null ? request : request.to(time(to));
            return replay.start(request);
        });
    }

    /** Stops or resumes a run. */
    @WriteOperation
    public ReplayRun change(@Selector String name, Action action) {
        return answer(() -> action == Action.STOP ? replay.stop(name) : replay.resume(name));
    }

    private static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no time. Write it in UTC, such as 2030-01-31T12:00:00Z", e);
        }
    }

    private static ReplayRun answer(Supplier<ReplayRun> request) {
        try {
            return request.get();
        } catch (IllegalArgumentException e) {
            String reason = String.valueOf(e.getMessage());
            throw new InvalidEndpointRequestException(reason, reason, e);
        }
    }

    /** What is to be done to a run. */
    public enum Action {
        STOP,
        RESUME
    }
}

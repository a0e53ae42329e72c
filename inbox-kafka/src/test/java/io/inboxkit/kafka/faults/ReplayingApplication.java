package io.inboxkit.kafka.faults;

import io.inboxkit.kafka.ReplayMode;
import io.inboxkit.kafka.ReplayRequest;
import io.inboxkit.kafka.TopicReplay;
import org.springframework.boot.SpringApplication;

/** The application in a JVM that a test kills while it reprocesses a topic. */
final class ReplayingApplication {

    static final String RUN = "again";

    private ReplayingApplication() {}

    public static void main(String[] arguments) {
        TopicReplay replay =
                SpringApplication.run(PaymentsApplication.class, arguments).getBean(TopicReplay.class);
        if (replay.status().isEmpty()) {
            replay.start(ReplayRequest.of(RUN, "billing").mode(ReplayMode.REPROCESS));
        } else {
            replay.resume(RUN);
        }
    }
}

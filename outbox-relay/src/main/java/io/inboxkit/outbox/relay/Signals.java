package io.inboxkit.outbox.relay;

import io.inboxkit.outbox.WakeUpSource;
import io.inboxkit.outbox.WakeUpSource.Heard;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that has the workers look for messages: when a signal comes, and in intervals, which are short where none comes. */
final class Signals implements Runnable {

    /** Where signals come, one may still get lost. */
    private static final Duration INTERVAL_WITH_SIGNALS = Duration.ofSeconds(1);

    private static final Duration BETWEEN_TESTS = Duration.ofMinutes(1);
    private static final Logger LOG = LoggerFactory.getLogger(Signals.class);

    private final WakeUpSource source;
    private final Duration pollInterval;
    private final Runnable wake;
    private volatile boolean listening;
    private volatile boolean stopping;

    Signals(WakeUpSource source, Duration pollInterval, Runnable wake) {
        this.source = source;
        this.pollInterval = pollInterval;
        this.wake = wake;
    }

    boolean isListening() {
        return listening;
    }

    void stop(Thread thread) {
        stopping = true;
        thread.interrupt();
    }

    @Override
    public void run() {
        try (source) {
            boolean first = true;
            while (!stopping) {
                listening = source.open();
                if (first || listening) {
                    LOG.info(
                            listening
                                    ? "The relay is woken by signals of writers"
                                    : "No signal of writers reaches the relay, perhaps because of a pooler in between: it polls every {}."
                                            + " Set outbox.relay.wakeup.url to a direct connection",
                            pollInterval);
                }
                first = false;
                if (listening) {
                    listen();
                } else {
                    poll();
                }
            }
        } catch (InterruptedException e) {
            // The end of the thread.
        } finally {
            listening = false;
        }
    }

    private void listen() {
        Duration interval = pollInterval.compareTo(INTERVAL_WITH_SIGNALS) > 0 ? pollInterval : INTERVAL_WITH_SIGNALS;
        while (!stopping) {
            // Also after nothing: and once when the connection is broken, since a signal may have been lost with it.
            Heard heard = source.await(interval);
            wake.run();
            if (heard == Heard.BROKEN) {
                listening = false;
                return;
            }
        }
    }

    private void poll() throws InterruptedException {
        long end = System.nanoTime() + BETWEEN_TESTS.toNanos();
        while (!stopping && System.nanoTime() - end < 0) {
            wake.run();
            Thread.sleep(pollInterval.toMillis());
        }
    }
}

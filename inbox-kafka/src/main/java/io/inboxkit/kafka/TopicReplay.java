package io.inboxkit.kafka;

import io.inboxkit.InboxConfigurationException;
import io.inboxkit.InboxConfigurationException.Finding;
import io.inboxkit.jdbc.JdbcInbox;
import io.inboxkit.jdbc.ReplayPartitionRow;
import io.inboxkit.jdbc.ReplayRow;
import io.inboxkit.jdbc.ReplayRuns;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.transaction.TransactionException;

/**
 * Reads what a listener has consumed once more, with a consumer of its own, and calls the same listener with it. The
 * group of the listener, its offsets and its live consumers are not touched.
 *
 * <p>A run is recorded in the database of the listener's inbox. When its instance dies, another one that has the listener
 * takes it over within half a minute, and goes on where the run has noted to be. Order per key holds within a run, not
 * between a run and the live consumer. Thread-safe.
 */
public final class TopicReplay implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger("io.inboxkit.kafka");
    private static final Logger AUDIT = LoggerFactory.getLogger("io.inboxkit.audit");

    private static final Duration BEAT = Duration.ofSeconds(2);
    private static final Duration LOOK = Duration.ofSeconds(5);

    private final Map<String, ReplayWork> working = new ConcurrentHashMap<>();
    private final SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor("inbox-replay-");
    private final ListableBeanFactory beans;
    private final ReplayContainers containers;
    private @Nullable ThreadPoolTaskScheduler scheduler;

    /**
     * @param beans where the inboxes are looked for
     * @param listeners whose listeners are called
     */
    public TopicReplay(ListableBeanFactory beans, InboxListeners listeners) {
        this.beans = beans;
        this.containers = new ReplayContainers(listeners);
    }

    /**
     * Starts a run, which goes on in the background.
     *
     * @throws IllegalArgumentException if the listener cannot be replayed, if it does not read what is asked for, or if there
     *     is a run of this name; the message says what to do
     */
    public ReplayRun start(ReplayRequest request) {
        ReplayRequest.Settings settings = request.settings();
        ReplayContainers.Source source = containers.source(settings.listener());
        List<ReplayPartitionRow> partitions = containers.resolve(source, settings);
        ReplayRow row = new ReplayRow(
                0,
                settings.name(),
                settings.listener(),
                settings.mode().name(),
                settings.deadLetters(),
                settings.onFailure().name(),
                settings.rate(),
                ReplayState.RUNNING.name(),
                true,
                null,
                Instant.EPOCH,
                null,
                ReplayRow.Counts.NONE);
        UUID owner = UUID.randomUUID();
        ReplayRuns runs = source.runs();
        if (find(settings.name()) != null || !runs.create(row, partitions, owner)) {
            throw new IllegalArgumentException("There is a replay '" + settings.name()
                    + "' already. Resume it, or choose another name for another run");
        }
        AUDIT.info(
                "replay: '{}' of listener '{}' ({}) over {} is started",
                settings.name(),
                settings.listener(),
                settings.mode(),
                partitions);
        work(runs, settings.name(), owner, source);
        return status(settings.name());
    }

    /**
     * Stops a run, which can be resumed. If this instance works on it, it has stopped when this returns; otherwise its owner
     * stops it within seconds. Nothing happens to one that does not run.
     *
     * @throws IllegalArgumentException if there is no run of this name
     */
    public ReplayRun stop(String name) {
        ReplayRuns runs = required(name);
        if (runs.requestStop(name)) {
            AUDIT.info("replay: '{}' is to be stopped", name);
            ReplayWork work = working.get(name);
            if (work != null) {
                work.stop(ReplayState.STOPPED, "stopped by an operator");
            }
        }
        return status(name);
    }

    /**
     * Resumes a run that was stopped, has failed or has lost its instance; here, where it has noted to be. Nothing happens to
     * one that is complete, or on which an instance works.
     *
     * @throws IllegalArgumentException if there is no run of this name, or its listener cannot be replayed here
     */
    public ReplayRun resume(String name) {
        ReplayRuns runs = required(name);
        ReplayContainers.Source source =
                containers.source(runs.find(name).orElseThrow().listener());
        UUID owner = UUID.randomUUID();
        if (runs.take(name, owner, true)) {
            AUDIT.info("replay: '{}' is resumed", name);
            work(runs, name, owner, source);
        }
        return status(name);
    }

    /**
     * What has become of a run, as it was noted last.
     *
     * @throws IllegalArgumentException if there is no run of this name
     */
    public ReplayRun status(String name) {
        ReplayRuns runs = required(name);
        return run(runs, runs.find(name).orElseThrow());
    }

    /** All runs, the oldest first in each database. */
    public List<ReplayRun> status() {
        List<ReplayRun> all = new ArrayList<>();
        stores().forEach(runs -> runs.list().forEach(row -> all.add(run(runs, row))));
        return all;
    }

    private static ReplayRun run(ReplayRuns runs, ReplayRow row) {
        return ReplayRun.of(row, runs.partitions(row.id()), runs.failures(row.id(), ReplayRun.MOST_FAILURES));
    }

    private void work(ReplayRuns runs, String name, UUID owner, ReplayContainers.Source source) {
        ReplayRow row = runs.find(name).orElseThrow();
        List<ReplayPartitionRow> partitions = runs.partitions(row.id());
        ReplayProgress progress = new ReplayProgress(row.counts(), partitions);
        ReplayWork work = new ReplayWork(row, runs, owner, progress, executor);
        working.put(name, work);
        try {
            if (progress.complete()) {
                work.stop(ReplayState.COMPLETED, null);
            } else {
                work.start(containers.create(source, row, owner, progress, partitions, work));
            }
        } catch (RuntimeException e) {
            work.stop(
                    ReplayState.FAILED,
                    "it could not be started: " + e.getClass().getName());
            throw e;
        }
    }

    private ReplayRuns required(String name) {
        ReplayRuns runs = find(name);
        if (runs == null) {
            throw new IllegalArgumentException("There is no replay '" + name + "'. There are "
                    + status().stream().map(ReplayRun::name).toList());
        }
        return runs;
    }

    private @Nullable ReplayRuns find(String name) {
        return stores().stream()
                .filter(runs -> runs.find(name).isPresent())
                .findFirst()
                .orElse(null);
    }

    private Set<ReplayRuns> stores() {
        Set<ReplayRuns> stores = new LinkedHashSet<>();
        beans.getBeansOfType(JdbcInbox.class).values().forEach(inbox -> stores.add(inbox.replays()));
        return stores;
    }

    private void beat() {
        working.values().removeIf(ReplayWork::isOver);
        working.values().forEach(ReplayWork::beat);
    }

    /** Takes over what has lost its instance, if the listener is one of this application. */
    private void look() {
        try {
            for (ReplayRuns runs : stores()) {
                for (String name : runs.abandoned()) {
                    takeOver(runs, name);
                }
            }
        } catch (DataAccessException | TransactionException e) {
            LOG.debug("Abandoned replays could not be looked for", e);
        }
    }

    private void takeOver(ReplayRuns runs, String name) {
        Optional<ReplayRow> row = runs.find(name);
        if (row.isEmpty() || !containers.knows(row.get().listener())) {
            return;
        }
        UUID owner = UUID.randomUUID();
        if (runs.take(name, owner, false)) {
            LOG.info("The replay '{}' has lost its instance and goes on here", name);
            try {
                work(runs, name, owner, containers.source(row.get().listener()));
            } catch (IllegalArgumentException | InboxConfigurationException e) {
                LOG.warn("The replay '{}' cannot go on here", name, e);
            }
        }
    }

    @Override
    public synchronized void start() {
        if (scheduler == null) {
            scheduler = new ThreadPoolTaskScheduler();
            scheduler.setThreadNamePrefix("inbox-replay-watch-");
            scheduler.setDaemon(true);
            scheduler.setPoolSize(2);
            scheduler.initialize();
            var beats =
                    scheduler.scheduleWithFixedDelay(this::beat, Instant.now().plus(BEAT), BEAT);
            var looks =
                    scheduler.scheduleWithFixedDelay(this::look, Instant.now().plus(LOOK), LOOK);
            LOG.trace("Watching replays: {}, {}", beats, looks);
        }
    }

    /** Lets go of the runs of this instance; another one takes them over. */
    @Override
    public synchronized void stop() {
        if (scheduler != null) {
            scheduler.shutdown();
            scheduler = null;
        }
        working.values().forEach(work -> work.stop(ReplayState.RUNNING, null));
        working.clear();
    }

    @Override
    public synchronized boolean isRunning() {
        return scheduler != null;
    }

    /** How a start-up check is told to somebody who asked for a replay. */
    static IllegalArgumentException refused(String listener, List<Finding> findings) {
        return new IllegalArgumentException("The listener '" + listener + "' cannot be replayed: "
                + findings.get(0).problem() + ". " + findings.get(0).remedy());
    }
}

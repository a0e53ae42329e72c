package io.inboxkit.outbox.jdbc;

import io.inboxkit.outbox.WakeUpSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Receives the signals of writers on a direct connection to the database. Behind a pooler that pools transactions none arrives,
 * which a signal to itself tells. Used by one thread only.
 */
public final class WakeUpReceiver implements WakeUpSource {

    private static final Duration SLICE = Duration.ofMillis(200);
    private static final Duration TEST_LIMIT = Duration.ofSeconds(2);

    private final DataSource direct;
    private final DataSource writers;
    private @Nullable Connection connection;

    /**
     * @param direct gives connections to listen on
     * @param writers gives connections as those of writers, to signal by
     */
    public WakeUpReceiver(DataSource direct, DataSource writers) {
        this.direct = direct;
        this.writers = writers;
    }

    @Override
    public boolean open() throws InterruptedException {
        close();
        try {
            Connection opened = direct.getConnection();
            connection = opened;
            opened.setAutoCommit(true);
            try (Statement listen = opened.createStatement()) {
                listen.execute("listen " + WakeUpChannel.NAME);
            }
            if (opened.isWrapperFor(PGConnection.class) && hearsItself(opened.unwrap(PGConnection.class))) {
                return true;
            }
        } catch (SQLException e) {
            // As if nothing had been heard: whoever asks polls, and tries again later.
        }
        close();
        return false;
    }

    private boolean hearsItself(PGConnection listening) throws SQLException, InterruptedException {
        String mark = UUID.randomUUID().toString();
        try (Connection other = writers.getConnection();
                PreparedStatement notify = other.prepareStatement(OutboxSql.NOTIFY)) {
            notify.setString(1, mark);
            notify.execute();
            if (!other.getAutoCommit()) {
                other.commit();
            }
        }
        long end = System.nanoTime() + TEST_LIMIT.toNanos();
        while (System.nanoTime() - end < 0) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            PGNotification[] received = listening.getNotifications(100);
            for (PGNotification notification : received == null ? new PGNotification[0] : received) {
                if (notification.getParameter().equals(mark)) {
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    public Heard await(Duration limit) {
        Connection listening = connection;
        if (listening == null) {
            return Heard.BROKEN;
        }
        try {
            long end = System.nanoTime() + limit.toNanos();
            // In slices, which ask nothing of the server: a thread that waits for it cannot be interrupted.
            do {
                PGNotification[] received =
                        listening.unwrap(PGConnection.class).getNotifications((int) SLICE.toMillis());
                if (received != null && received.length > 0) {
                    return Heard.SIGNAL;
                }
            } while (System.nanoTime() - end < 0 && !Thread.currentThread().isInterrupted());
            return Heard.NOTHING;
        } catch (SQLException e) {
            close();
            return Heard.BROKEN;
        }
    }

    @Override
    public void close() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            try {
                if (!open.isClosed()) {
                    try (Statement unlisten = open.createStatement()) {
                        unlisten.execute("unlisten *");
                    }
                }
            } catch (SQLException e) {
                // It goes back to its pool broken, which closes it.
            }
            try {
                open.close();
            } catch (SQLException e) {
                // Nothing is left to be closed.
            }
        }
    }
}

package io.inboxkit.testkit.contract;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;

/** The business of the listener under test: one row per message, and then what the test has armed. Thread-safe. */
public final class EffectHandler {

    private final Map<String, Queue<Twist>> twists = new ConcurrentHashMap<>();
    private final Queue<String> calls = new ConcurrentLinkedQueue<>();

    /** What happens after the row was written, in the transaction of the listener. */
    interface Twist {
        void run(JdbcTemplate jdbc, PlatformTransactionManager manager) throws Exception;
    }

    EffectHandler() {}

    /** To be called by the listener, which lets everything thrown go on. */
    public void handle(DataSource dataSource, PlatformTransactionManager manager, String body) throws Exception {
        calls.add(body);
        JdbcTemplate jdbc = new JdbcTemplate(dataSource);
        jdbc.update("INSERT INTO effect (body) VALUES (?)", body);
        Twist twist = twists.getOrDefault(body, new ConcurrentLinkedQueue<>()).poll();
        if (twist != null) {
            twist.run(jdbc, manager);
        }
    }

    /** Arms one call per twist for messages of that body. */
    void arm(String body, Twist... next) {
        twists.computeIfAbsent(body, key -> new ConcurrentLinkedQueue<>()).addAll(List.of(next));
    }

    /** How often the handler was called with that body. */
    long calls(String body) {
        return calls.stream().filter(body::equals).count();
    }
}

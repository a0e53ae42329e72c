package io.inboxkit.benchmarks;

import io.inboxkit.InboxMessage;
import io.inboxkit.jdbc.JdbcInbox;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Shows how the server executes the claim, as the library words it, on a table of a million rows: with the generic plan that a prepared statement gets. */
final class ClaimPlan {

    private static final int ROWS = 1_000_000;
    private static final String CONSUMER = "billing:payments";
    private static final Pattern PARAMETER = Pattern.compile("\\?(::\\w+)?");

    private final StatementRecorder recorder;
    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;

    ClaimPlan(SingleConnectionDataSource connection) {
        this.recorder = new StatementRecorder(connection);
        this.jdbc = new JdbcTemplate(connection);
        this.transaction = new TransactionTemplate(new JdbcTransactionManager(connection));
    }

    void print() {
        recordStatements();
        jdbc.update(
                """
                insert into inbox_message (consumer_id, message_key, fingerprint)
                select c.id, gen_random_uuid(), sha256(n::text::bytea)
                from inbox_consumer c, generate_series(1, ?) n where c.name = ?
                """,
                ROWS,
                CONSUMER);
        jdbc.execute("vacuum analyze inbox_message, inbox_consumer");
        jdbc.execute("set plan_cache_mode = force_generic_plan");
        jdbc.execute("prepare claim as " + numbered(recorded("insert into inbox_message")));
        jdbc.execute("prepare duplicate as " + numbered(recorded("left join inbox_message")));
        String consumer = String.valueOf(
                jdbc.queryForObject("select id from inbox_consumer where name = ?", Integer.class, CONSUMER));
        String known = jdbc.queryForObject("select message_key from inbox_message limit 1", String.class);
        String claim = "claim(sha256('x'), %s, '%s', gen_random_uuid(), 0, 1, '10s')";
        explain("The claim of a new message", claim.formatted(consumer, UUID.randomUUID()));
        explain("The claim of a duplicate", claim.formatted(consumer, known));
        explain("What is known of a duplicate", "duplicate(%s, '%s', gen_random_uuid(), 0, 1)".formatted(consumer, known));
    }

    private void explain(String what, String call) {
        List<String> plan = transaction.execute(status -> {
            status.setRollbackOnly();
            return jdbc.queryForList("explain (analyze, buffers, costs off) execute " + call, String.class);
        });
        System.out.printf("%n%s, %,d rows%n%n", what, ROWS);
        if (plan != null) {
            plan.forEach(System.out::println);
        }
    }

    private void recordStatements() {
        JdbcInbox inbox = JdbcInbox.builder(recorder, new JdbcTransactionManager(recorder))
                .migrate(false)
                .build();
        InboxMessage message = InboxMessage.of(CONSUMER, "plan");
        inbox.process(message, () -> {});
        inbox.process(message, () -> {});
    }

    private String recorded(String part) {
        String statements = recorder.statements().stream()
                .filter(statement -> statement.contains(part))
                .reduce((first, last) -> last)
                .orElseThrow(() -> new IllegalStateException(
                        "No statement with '" + part + "' was seen among " + recorder.statements()));
        // A duplicate ends its transaction in the same round trip.
        return statements.split(";", 2)[0];
    }

    /** JDBC's parameters as those of {@code PREPARE}. */
    private static String numbered(String statement) {
        StringBuilder numbered = new StringBuilder();
        Matcher matcher = PARAMETER.matcher(statement);
        for (int number = 1; matcher.find(); number++) {
            String cast = matcher.group(1) == null ? "" : matcher.group(1);
            matcher.appendReplacement(numbered, Matcher.quoteReplacement("$" + number + cast));
        }
        return matcher.appendTail(numbered).toString();
    }
}

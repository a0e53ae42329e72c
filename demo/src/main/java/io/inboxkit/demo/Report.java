package io.inboxkit.demo;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The count at the end. */
final class Report {

    private static final int MOST_SHOWN = 5;

    private final Books books;
    private final int sent;
    private final List<String> orderIds;

    /**
     * @param books what happened
     * @param sent the number of messages sent
     * @param orderIds the orders that they were about
     */
    Report(Books books, int sent, List<String> orderIds) {
        this.books = books;
        this.sent = sent;
        this.orderIds = orderIds;
    }

    /**
     * Prints the count, and the orders that were not paid exactly once.
     *
     * @return whether there are none
     */
    boolean print(PrintStream out) {
        out.println();
        line(out, "messages sent", sent);
        line(out, "deliveries", books.deliveries());
        line(out, "processed", books.deliveries("processed"));
        line(out, "duplicates skipped", books.deliveries("duplicate"));
        line(out, "payments in the database", books.payments());
        line(out, "orders", orderIds.size());
        out.println();

        Map<String, Integer> wrong = ordersNotPaidOnce();
        if (wrong.isEmpty()) {
            out.println("  Every order has exactly one payment.");
        } else {
            out.printf("  WRONG: %d orders do not have exactly one payment, such as%n", wrong.size());
            wrong.entrySet().stream()
                    .limit(MOST_SHOWN)
                    .forEach(order -> out.printf("    %s: %d payments%n", order.getKey(), order.getValue()));
        }
        out.println();
        return wrong.isEmpty();
    }

    /** Also those without a payment, and payments of orders that were never sent. */
    private Map<String, Integer> ordersNotPaidOnce() {
        Map<String, Integer> wrong = new TreeMap<>();
        Map<String, Integer> payments = books.paymentsByOrder();
        orderIds.forEach(order -> wrong.put(order, 0));
        wrong.putAll(payments);
        Set<String> sentOrders = Set.copyOf(orderIds);
        wrong.entrySet().removeIf(order -> sentOrders.contains(order.getKey()) && order.getValue() == 1);
        return wrong;
    }

    private static void line(PrintStream out, String what, int count) {
        out.printf("  %-28s%8d%n", what, count);
    }
}

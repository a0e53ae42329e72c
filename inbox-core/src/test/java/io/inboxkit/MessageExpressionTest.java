package io.inboxkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageExpressionTest {

    private static final Set<String> VARIABLES = Set.of("payload", "payment", "key", "headers", "record", "message");

    record Customer(@Nullable String tenant) {}

    record Payment(@Nullable String id, @Nullable Customer customer, long number) {

        String secretive() {
            return customer == null ? List.of("secret").get(1) : "secret";
        }
    }

    /** What older code looks like. */
    static final class Bean {

        public UUID getId() {
            return new UUID(1, 2);
        }
    }

    private static @Nullable String evaluate(String expression, Map<String, Object> values) {
        MessageId id = MessageExpression.parse("messageId", "Payments.on(Payment)", expression, VARIABLES)
                .evaluate("billing", values::get);
        return id == null ? null : id.value();
    }

    private static @Nullable String ofPayload(String expression, Object payload) {
        return evaluate(expression, Map.of("payload", payload, "payment", payload));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    #payment.id                                   | p-1
                    #payload.id                                   | p-1
                    #payment.id()                                 | p-1
                    #payment.number                               | 9007199254740993
                    #payment.customer.tenant + ':' + #payment.id  | acme:p-1
                    #payment?.customer?.tenant                    | acme
                    #payment.id.toUpperCase()                     | P-1
                    #payment.id ?: #key                           | p-1
                    {#payment}.?[id == 'p-1'].![customer][0].tenant | acme
                    """)
    void anExpressionReadsRecords(String expression, String id) {
        assertThat(ofPayload(expression, new Payment("p-1", new Customer("acme"), 9_007_199_254_740_993L)))
                .isEqualTo(id);
    }

    @Test
    void anExpressionReadsBeansMapsAndHeaders() {
        assertThat(ofPayload("#payload.id", new Bean())).isEqualTo("00000000-0000-0001-0000-000000000002");
        assertThat(ofPayload("#payload.order.id", Map.of("order", Map.of("id", 7))))
                .isEqualTo("7");
        assertThat(evaluate("#headers['event-id']", Map.of("headers", Map.of("event-id", new byte[] {'m'}))))
                .isEqualTo("m");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#key",
                "#key.id",
                "#key.id()",
                "#key['id']",
                "#payment.id",
                "#payment.customer.tenant",
                "#payment.customer.tenant()",
                "#payment.id + '-1'",
                "'acme:' + #payment.id",
                "'acme:' + #payment.number + ':' + #payment.id",
                "true ? #payment.id + 'x' : 'y'",
                "#payment.id ?: 'x' + #key",
                "#headers.missing",
                "#headers['missing']",
                "' '"
            })
    void anExpressionThatMeetsNullGivesNone(String expression) {
        Map<String, Object> values = new HashMap<>();
        values.put("payment", new Payment(null, null, 1));
        values.put("headers", Map.of());
        assertThat(evaluate(expression, values)).isNull();
    }

    @Test
    void aBranchThatIsNotTakenMayBeNull() {
        assertThat(evaluate("#key == null ? 'none' : 'x' + #key", Map.of())).isEqualTo("none");
        assertThat(evaluate("(#key ?: 'a') + 'b'", Map.of())).isEqualTo("ab");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"#payment.unknown", "#payment.secretive()", "{'p-1'}[3]", "#payment", "{#payment.id}", "1 == 1"})
    void anythingElseIsRefusedAndNamesConsumerAndExpressionButNoValue(String expression) {
        Payment payment = new Payment("p-1-secret", null, 1);
        assertThatThrownBy(() -> ofPayload(expression, payment))
                .isInstanceOf(InvalidMessageIdException.class)
                .hasMessageContaining("messageId \"" + expression + "\" of consumer 'billing'")
                .hasMessageNotContaining("p-1-secret")
                .hasNoCause();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    #payment.          | is no expression
                    #payment.id)       | at position 11
                    ''''               | is no expression
                    #paymnt.id         | refers to #paymnt
                    payment.id         | has payment without an object
                    #key.concat(id)    | has id without an object
                    id()               | has id() without an object
                    @bean.id           | refers to @bean
                    T(java.lang.Runtime).getRuntime() | refers to T(java.lang.Runtime)
                    new String('x')    | refers to new
                    #key = 'x'         | assigns a value
                    #fn(1)             | refers to #fn
                    """)
    void whatCannotWorkIsRefusedAtTheStart(String expression, String problem) {
        assertThatThrownBy(() -> evaluate(expression, Map.of()))
                .isInstanceOf(InboxConfigurationException.class)
                .hasMessageContaining("The messageId \"" + expression + "\" of the handler Payments.on(Payment)")
                .hasMessageContaining(problem);
    }

    @Test
    void severalFaultsAreReportedTogether() {
        assertThatThrownBy(() -> evaluate("#a + #b", Map.of()))
                .isInstanceOfSatisfying(InboxConfigurationException.class, e -> assertThat(e.findings())
                        .hasSize(2));
    }

    @Test
    void oneExpressionMeetsValuesOfDifferentTypes() {
        MessageExpression expression =
                MessageExpression.parse("messageId", "Payments.on(Object)", "#payload.id", VARIABLES);
        for (Object payload : List.of(new Payment("p-1", null, 1), new Bean(), Map.of("id", "m-1"))) {
            assertThat(expression.evaluate("billing", name -> payload)).isNotNull();
        }
    }
}

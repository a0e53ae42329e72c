package io.inboxkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives each message of a listener exactly one effect.
 *
 * <p>On a {@code @KafkaListener} or {@code @RabbitListener} method, on a class of such handlers, or as a
 * meta-annotation. The id of the message and the database writes of the handler are committed in one transaction; a
 * message whose id is already known is acknowledged without calling the handler. No proxy of the annotated bean is
 * needed: any visibility, final classes and self-invocation work.
 *
 * <p>All attributes are optional. Text attributes may contain <code>${…}</code> placeholders. An attribute that this
 * release does not support, or that contradicts another one, stops the start of the application.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
public @interface IdempotentConsumer {

    /**
     * The stable name of the logical consumer; ids are unique within it. Default: on Kafka {@code <groupId>:<topic>}
     * with the record's own topic, on RabbitMQ the queue of the delivery. Required where the group or queue has no
     * stable name.
     */
    String consumer() default "";

    /**
     * A SpEL expression that gives the id of the message, over {@code #payload} (also by the payload parameter's own
     * name), {@code #key}, {@code #headers} and {@code #record} / {@code #message}. Default: the transport's own id, then
     * the headers of {@code inbox.message-id.headers}.
     */
    String messageId() default "";

    /** A SpEL expression that gives a tenant or another scope; ids are then unique within consumer and scope. */
    String scope() default "";

    /** What happens to a message without an id. */
    MissingIdPolicy onMissingId() default MissingIdPolicy.DEFAULT;

    /** What happens to a second message with the same id and another payload. */
    ReusedIdPolicy onReusedId() default ReusedIdPolicy.DEFAULT;

    /** Whether the effects of the handler are in the database or outside of it. */
    ProcessingMode mode() default ProcessingMode.TRANSACTIONAL;

    /**
     * For {@link ProcessingMode#LEASED}: how long a claim outlives its owner's last sign of life, such as {@code 2m}.
     * Default: {@code inbox.lease.duration}.
     */
    String lease() default "";

    /** How long ids of this consumer are kept, such as {@code 30d}. Default: {@code inbox.retention}. */
    String retention() default "";

    /** What is remembered: the id of each message, or (Kafka) only the position. */
    Tracking track() default Tracking.MESSAGE_ID;

    /** Whether the return value is stored with the id and sent again for a duplicate. */
    boolean storeReply() default false;

    /** What happens to the rest of a batch when its handler fails without naming the record. */
    BatchFailurePolicy onBatchFailure() default BatchFailurePolicy.ISOLATE;

    /**
     * The bean name of the transaction manager, where there are several; it also chooses the {@link Inbox} whose
     * {@code DataSource} it manages.
     */
    String transactionManager() default "";
}

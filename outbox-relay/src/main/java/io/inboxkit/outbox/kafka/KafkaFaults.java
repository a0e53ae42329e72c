package io.inboxkit.outbox.kafka;

import io.inboxkit.outbox.PublishResult;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Tells from an error of Kafka who is at fault. */
final class KafkaFaults {

    private KafkaFaults() {}

    static PublishResult of(Throwable failure) {
        Throwable cause = unwrap(failure);
        String text = cause.getClass().getSimpleName() + ": " + cause.getMessage();
        if (cause instanceof RecordTooLargeException
                || cause instanceof RecordBatchTooLargeException
                || cause instanceof InvalidRecordException
                || cause instanceof InvalidTimestampException
                || cause instanceof PolicyViolationException
                || cause instanceof SerializationException) {
            return PublishResult.messageFault(text);
        }
        // Some of them are retriable for the client, which has done so in vain until its timeout.
        if (cause instanceof UnknownTopicOrPartitionException
                || cause instanceof UnknownTopicIdException
                || cause instanceof InvalidTopicException
                || cause instanceof AuthorizationException) {
            return PublishResult.destinationFault(text);
        }
        return PublishResult.unreachable(text);
    }

    /** Whether the producer will never send anything again. */
    static boolean isFatal(Throwable failure) {
        Throwable cause = unwrap(failure);
        return cause instanceof OutOfOrderSequenceException
                || cause instanceof ProducerFencedException
                || cause instanceof IllegalStateException
                || cause.getClass() == KafkaException.class
                || cause instanceof ClusterAuthorizationException;
    }

    static Throwable unwrap(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof ExecutionException || cause instanceof CompletionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}

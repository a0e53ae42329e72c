package io.inboxkit.kafka;

import java.util.Collection;
import java.util.List;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.config.ContainerPostProcessor;
import org.springframework.kafka.config.KafkaListenerEndpoint;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.support.TopicPartitionOffset;
import org.springframework.kafka.support.converter.MessageConverter;

/** A listener's endpoint as it was configured, for a container that reads given partitions on one thread. */
final class ReplayedEndpoint implements KafkaListenerEndpoint {

    private final MethodKafkaListenerEndpoint<?, ?> endpoint;
    private final List<TopicPartitionOffset> partitions;

    ReplayedEndpoint(MethodKafkaListenerEndpoint<?, ?> endpoint, List<TopicPartitionOffset> partitions) {
        this.endpoint = endpoint;
        this.partitions = List.copyOf(partitions);
    }

    @Override
    public String getId() {
        return endpoint.getId() + "-replay";
    }

    @Override
    public @Nullable String getGroupId() {
        return endpoint.getGroupId();
    }

    @Override
    public @Nullable String getGroup() {
        return null;
    }

    @Override
    public Collection<String> getTopics() {
        return List.of();
    }

    @Override
    public TopicPartitionOffset[] getTopicPartitionsToAssign() {
        return partitions.toArray(TopicPartitionOffset[]::new);
    }

    @Override
    public @Nullable Pattern getTopicPattern() {
        return null;
    }

    @Override
    public String getClientIdPrefix() {
        String own = endpoint.getClientIdPrefix();
        return (own == null ? endpoint.getId() : own) + "-replay";
    }

    /** One thread: order per key holds within a run. */
    @Override
    public Integer getConcurrency() {
        return 1;
    }

    @Override
    public Boolean getAutoStartup() {
        return false;
    }

    @Override
    public @Nullable Properties getConsumerProperties() {
        return endpoint.getConsumerProperties();
    }

    @Override
    public void setupListenerContainer(
            MessageListenerContainer listenerContainer, @Nullable MessageConverter messageConverter) {
        endpoint.setupListenerContainer(listenerContainer, messageConverter);
    }

    @Override
    public boolean isSplitIterables() {
        return endpoint.isSplitIterables();
    }

    @Override
    public byte @Nullable [] getListenerInfo() {
        return endpoint.getListenerInfo();
    }

    @Override
    public @Nullable String getMainListenerId() {
        return endpoint.getMainListenerId();
    }

    @Override
    public @Nullable String getAckMode() {
        return endpoint.getAckMode();
    }

    @Override
    public @Nullable Boolean getBatchListener() {
        return endpoint.getBatchListener();
    }

    @Override
    public @Nullable ContainerPostProcessor<?, ?, ?> getContainerPostProcessor() {
        return endpoint.getContainerPostProcessor();
    }
}

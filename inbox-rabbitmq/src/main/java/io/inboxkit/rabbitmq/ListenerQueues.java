package io.inboxkit.rabbitmq;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.amqp.core.AnonymousQueue;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.StringUtils;

/**
 * The queues of one listener.
 *
 * @param names those whose names outlive a restart
 * @param unstable the others: named by the broker, exclusive or anonymous
 */
record ListenerQueues(List<String> names, List<String> unstable) {

    /** What the container of a listener reads. The queues that the application declares tell what they are. */
    static ListenerQueues of(AbstractMessageListenerContainer container, ListableBeanFactory beans) {
        Map<String, Queue> declared = new HashMap<>();
        beans.getBeansOfType(Queue.class, false, false).values().forEach(queue -> declared.put(queue.getName(), queue));
        beans.getBeansOfType(Declarables.class, false, false).values().forEach(all -> all.getDeclarablesByType(
                        Queue.class)
                .forEach(queue -> declared.put(queue.getName(), queue)));
        List<String> names = new ArrayList<>();
        List<String> unstable = new ArrayList<>();
        for (String name : container.getQueueNames()) {
            if (!StringUtils.hasText(name)) {
                unstable.add("a queue that the broker names");
            } else if (isUnstable(name, declared.get(name))) {
                unstable.add("the exclusive or anonymous queue '" + name + "'");
            } else {
                names.add(name);
            }
        }
        return new ListenerQueues(names, unstable);
    }

    private static boolean isUnstable(String name, @org.jspecify.annotations.Nullable Queue queue) {
        return name.startsWith("amq.gen-")
                || name.startsWith("spring.gen-")
                || (queue != null && (queue.isExclusive() || queue instanceof AnonymousQueue));
    }
}

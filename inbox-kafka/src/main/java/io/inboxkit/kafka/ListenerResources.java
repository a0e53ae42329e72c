package io.inboxkit.kafka;

import org.springframework.scheduling.TaskScheduler;

/**
 * What all listeners share and the application closes.
 *
 * @param admins ask the brokers for topic ids
 * @param scheduler resumes held partitions
 */
record ListenerResources(TopicAdmins admins, TaskScheduler scheduler) {}

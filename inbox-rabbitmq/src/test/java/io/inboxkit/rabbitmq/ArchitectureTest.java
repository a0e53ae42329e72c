package io.inboxkit.rabbitmq;

import io.inboxkit.testkit.architecture.ArchitectureContract;

class ArchitectureTest extends ArchitectureContract {

    ArchitectureTest() {
        super(MessageInbox.class);
    }
}

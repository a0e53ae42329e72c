package io.inboxkit.kafka;

import io.inboxkit.testkit.architecture.ArchitectureContract;

class ArchitectureTest extends ArchitectureContract {

    ArchitectureTest() {
        super(TopicIds.class);
    }
}

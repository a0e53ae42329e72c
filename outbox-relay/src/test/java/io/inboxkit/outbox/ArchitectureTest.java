package io.inboxkit.outbox;

import io.inboxkit.testkit.architecture.ArchitectureContract;

class ArchitectureTest extends ArchitectureContract {

    ArchitectureTest() {
        super(Outbox.class);
    }
}

package io.inboxkit;

import io.inboxkit.testkit.architecture.ArchitectureContract;

class ArchitectureTest extends ArchitectureContract {

    ArchitectureTest() {
        super(Inbox.class);
    }
}

package io.inboxkit.autoconfigure;

import io.inboxkit.autoconfigure.InboxProperties.SchemaMode;
import io.inboxkit.jdbc.InboxSchema;
import org.springframework.beans.factory.InitializingBean;

/** Migrates or checks the tables at the start, after the application's own migrations and before the inbox is used. */
class InboxSchemaInitializer implements InitializingBean {

    private final InboxSchema schema;
    private final SchemaMode mode;

    InboxSchemaInitializer(InboxSchema schema, SchemaMode mode) {
        this.schema = schema;
        this.mode = mode;
    }

    @Override
    public void afterPropertiesSet() {
        switch (mode) {
            case MIGRATE -> schema.migrate();
            case VALIDATE -> schema.validate();
            case NONE -> {}
        }
    }
}

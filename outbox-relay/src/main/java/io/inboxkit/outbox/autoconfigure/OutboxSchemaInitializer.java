package io.inboxkit.outbox.autoconfigure;

import io.inboxkit.outbox.autoconfigure.OutboxProperties.SchemaMode;
import io.inboxkit.outbox.jdbc.OutboxSchema;
import org.springframework.beans.factory.InitializingBean;

/** Migrates or checks the tables at the start, after the application's own migrations and before the outbox is used. */
class OutboxSchemaInitializer implements InitializingBean {

    private final OutboxSchema schema;
    private final SchemaMode mode;

    OutboxSchemaInitializer(OutboxSchema schema, SchemaMode mode) {
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

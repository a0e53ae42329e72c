package io.inboxkit.outbox.autoconfigure;

import java.util.Set;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDatabaseInitializerDetector;
import org.springframework.core.Ordered;

/**
 * Puts our migrations behind those of the application (Flyway, Liquibase, scripts): a table of ours in a schema that is still
 * empty would make their first run fail.
 */
class OutboxSchemaDetector extends AbstractBeansOfTypeDatabaseInitializerDetector implements Ordered {

    @Override
    protected Set<Class<?>> getDatabaseInitializerBeanTypes() {
        return Set.of(OutboxSchemaInitializer.class);
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }
}

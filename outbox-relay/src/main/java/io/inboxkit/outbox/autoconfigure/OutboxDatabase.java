package io.inboxkit.outbox.autoconfigure;

import io.inboxkit.outbox.OutboxConfigurationException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;

/** Finds the {@code DataSource} of the outbox and the transaction manager that belongs to it, or says why there is none. */
final class OutboxDatabase {

    private static final String BUILD_ONE = "or define the Outbox bean yourself as a new JdbcOutbox of both";

    private final ConfigurableListableBeanFactory beans;

    OutboxDatabase(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    DataSource dataSource() {
        return choose(
                        beansOf(DataSource.class),
                        "DataSource",
                        "the outbox must be in the one that the business data is in")
                .getValue();
    }

    PlatformTransactionManager transactionManager(DataSource dataSource) {
        Map<String, PlatformTransactionManager> all = beansOf(PlatformTransactionManager.class);
        Map<String, PlatformTransactionManager> matching = new LinkedHashMap<>();
        all.forEach((name, manager) -> {
            if (Objects.equals(target(dataSource), managedBy(manager))) {
                matching.put(name, manager);
            }
        });
        if (matching.isEmpty()) {
            throw new OutboxConfigurationException(
                    "No transaction manager manages the outbox's DataSource " + nameOf(dataSource)
                            + ", so messages and business data would not be committed together. Transaction managers found: "
                            + (all.isEmpty() ? "none" : describe(all)),
                    "Define a JdbcTransactionManager (or JpaTransactionManager) bean for this DataSource, "
                            + BUILD_ONE);
        }
        return choose(
                        matching,
                        "transaction manager",
                        "all of them manage the outbox's DataSource " + nameOf(dataSource))
                .getValue();
    }

    private <T> Map.Entry<String, T> choose(Map<String, T> candidates, String kind, String why) {
        List<Map.Entry<String, T>> primary = candidates.size() == 1
                ? List.copyOf(candidates.entrySet())
                : candidates.entrySet().stream()
                        .filter(candidate -> isPrimary(candidate.getKey()))
                        .toList();
        if (primary.size() == 1) {
            return primary.get(0);
        }
        throw new OutboxConfigurationException(
                "The outbox cannot choose its " + kind + " among the beans " + describe(candidates) + ": " + why,
                "Mark one of them as @Primary, " + BUILD_ONE);
    }

    private String nameOf(DataSource dataSource) {
        return beansOf(DataSource.class).entrySet().stream()
                .filter(bean -> bean.getValue() == dataSource)
                .map(bean -> "'" + bean.getKey() + "'")
                .findFirst()
                .orElseGet(dataSource::toString);
    }

    private String describe(Map<String, ?> candidates) {
        return candidates.entrySet().stream()
                .map(bean -> "'" + bean.getKey() + "' ("
                        + bean.getValue().getClass().getSimpleName() + managedName(bean.getValue()) + ")")
                .toList()
                .toString();
    }

    private String managedName(Object bean) {
        DataSource managed = bean instanceof PlatformTransactionManager manager ? managedBy(manager) : null;
        return managed == null ? "" : " of " + nameOf(managed);
    }

    private <T> Map<String, T> beansOf(Class<T> type) {
        Map<String, T> found = new LinkedHashMap<>();
        Stream.of(beans.getBeanNamesForType(type, false, false))
                .filter(this::isCandidate)
                .forEach(name -> found.put(name, beans.getBean(name, type)));
        return found;
    }

    private boolean isCandidate(String name) {
        return !beans.containsBeanDefinition(name)
                || beans.getBeanDefinition(name).isAutowireCandidate();
    }

    private boolean isPrimary(String name) {
        if (!beans.containsBeanDefinition(name)) {
            return false;
        }
        BeanDefinition definition = beans.getMergedBeanDefinition(name);
        return definition.isPrimary();
    }

    /** What a manager binds connections of; the managers of JDBC, JPA and Hibernate all tell it by the same property. */
    private static @Nullable DataSource managedBy(PlatformTransactionManager manager) {
        Object target = Objects.requireNonNullElse(AopProxyUtils.getSingletonTarget(manager), manager);
        var properties = PropertyAccessorFactory.forBeanPropertyAccess(target);
        return properties.isReadableProperty("dataSource")
                        && properties.getPropertyValue("dataSource") instanceof DataSource dataSource
                ? target(dataSource)
                : null;
    }

    private static DataSource target(DataSource dataSource) {
        return dataSource instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null
                ? proxy.getTargetDataSource()
                : dataSource;
    }
}

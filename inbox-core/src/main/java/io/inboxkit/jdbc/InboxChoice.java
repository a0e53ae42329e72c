package io.inboxkit.jdbc;

import io.inboxkit.Inbox;
import io.inboxkit.InboxConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.transaction.TransactionManager;

/** Chooses the inbox of a listener among the beans of the application. */
public final class InboxChoice {

    private final ListableBeanFactory beans;

    public InboxChoice(ListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * The inbox of a listener.
     *
     * @param listener how messages name the listener
     * @param managerName the bean name of the transaction manager that the listener asks for, or {@code null}
     * @throws InboxConfigurationException if there is none, or more than one
     */
    public Inbox choose(String listener, @Nullable String managerName) {
        Map<String, Inbox> all = beans.getBeansOfType(Inbox.class);
        if (managerName == null) {
            try {
                return beans.getBean(Inbox.class);
            } catch (NoUniqueBeanDefinitionException e) {
                throw new InboxConfigurationException(
                        "The " + listener + " does not say which inbox it uses; there are " + all.keySet(),
                        "Name the transaction manager of one of them in @IdempotentConsumer(transactionManager = …), or mark"
                                + " one inbox as @Primary");
            } catch (NoSuchBeanDefinitionException e) {
                throw new InboxConfigurationException(
                        "The " + listener + " is annotated with @IdempotentConsumer, but there is no Inbox bean",
                        "Give the application a DataSource and its transaction manager, or define an Inbox bean by"
                                + " JdbcInbox.builder(dataSource, transactionManager)");
            }
        }
        TransactionManager manager = find(managerName);
        List<Inbox> matching = new ArrayList<>();
        all.values().forEach(inbox -> {
            if (manager != null && manager == managerOf(inbox)) {
                matching.add(inbox);
            }
        });
        if (matching.size() != 1) {
            throw new InboxConfigurationException(
                    "The " + listener + " names the transaction manager '" + managerName + "', "
                            + (manager == null
                                    ? "but there is no such transaction manager"
                                    : "which belongs to " + matching.size() + " of the inboxes " + all.keySet()),
                    "Name a transaction manager with exactly one inbox; define the inbox of a further DataSource by"
                            + " JdbcInbox.builder(dataSource, transactionManager)");
        }
        return matching.get(0);
    }

    /** The transaction manager of an inbox, or {@code null} if it is not one of ours. */
    public static @Nullable TransactionManager managerOf(Inbox inbox) {
        return !AopUtils.isAopProxy(inbox) && inbox instanceof JdbcInbox jdbc ? jdbc.transactionManager() : null;
    }

    /**
     * The transaction manager that {@code @Transactional} means by a qualifier, or by none if it is empty; {@code null} if
     * there is none or it cannot be told.
     */
    public @Nullable TransactionManager find(String qualifier) {
        if (qualifier.isEmpty()) {
            return beans.getBeanProvider(TransactionManager.class).getIfUnique();
        }
        try {
            return BeanFactoryAnnotationUtils.qualifiedBeanOfType(
                    (BeanFactory) beans, TransactionManager.class, qualifier);
        } catch (NoSuchBeanDefinitionException e) {
            return null;
        }
    }
}

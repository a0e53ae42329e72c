package io.inboxkit.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;

/**
 * Matches unless a switch of the inbox is turned off. The switch is read as every property is: {@code yes} and {@code on} are
 * on, and a value that is no truth value stops the start. A condition that compares texts would take both for off, and
 * duplicates would be processed without a word.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Conditional(InboxSwitch.class)
public @interface ConditionalOnInboxSwitch {

    /** The name of the property; it is on where it is not set. */
    String value();
}

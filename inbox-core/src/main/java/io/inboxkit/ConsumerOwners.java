package io.inboxkit;

import io.inboxkit.InboxConfigurationException.Finding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which listener has which consumer: two with the same name would skip each other's messages. Confined to the thread that
 * registers listeners, which holds the lock of the registry.
 */
public final class ConsumerOwners {

    private final Map<String, String> owners = new HashMap<>();
    private final List<PatternOwner> patterns = new ArrayList<>();

    /**
     * Notes the names of a listener.
     *
     * @param owner the id of its main listener, with a suffix for its dead letters
     * @param pattern matches those that are not known yet, or {@code null}
     */
    public List<Finding> claim(List<String> names, String owner, @Nullable Pattern pattern) {
        List<Finding> findings = new ArrayList<>();
        for (String name : names) {
            String other = owners.putIfAbsent(name, owner);
            if (other != null && !other.equals(owner)) {
                findings.add(twice(name, other, owner));
            }
            patterns.stream()
                    .filter(with -> !with.owner.equals(owner)
                            && with.pattern.matcher(name).matches())
                    .forEach(with -> findings.add(twice(name, with.owner, owner)));
        }
        if (pattern != null) {
            owners.forEach((name, other) -> {
                if (!other.equals(owner) && pattern.matcher(name).matches()) {
                    findings.add(twice(name, other, owner));
                }
            });
            patterns.add(new PatternOwner(pattern, owner));
        }
        return findings;
    }

    private static Finding twice(String name, String first, String second) {
        return new Finding(
                "The consumer '" + name + "' is used by two listeners, '" + first + "' and '" + second
                        + "', so each would skip what the other has processed",
                "Give one of them another name by @IdempotentConsumer(consumer = …)");
    }

    private record PatternOwner(Pattern pattern, String owner) {}
}

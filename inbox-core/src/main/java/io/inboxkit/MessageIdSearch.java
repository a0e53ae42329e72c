package io.inboxkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the id of a message in its headers. Immutable and safe for use by several threads.
 *
 * <p>The names are tried in order; each matches exactly first, then without case. The first value that is not blank is the
 * id. A CloudEvents id, such as {@code ce_id}, counts only together with its source, and is then {@code <source> <id>},
 * because producers number their events independently of each other. Headers under other names are not looked at.
 */
public final class MessageIdSearch {

    private final List<String> names;

    /**
     * @param names the names of the headers, in order; {@code inbox.message-id.headers}
     */
    public MessageIdSearch(List<String> names) {
        this.names = List.copyOf(names);
    }

    /** The names of the headers, in order. */
    public List<String> names() {
        return names;
    }

    /**
     * The id in the headers.
     *
     * @param headers the headers in the order of the wire; one name may be there several times
     * @throws InvalidMessageIdException if the first header with a value is there with different values, or with one that is no
     *     id
     */
    public Optional<MessageId> find(Iterable<RawHeader> headers) {
        for (String name : names) {
            byte[] id = value(name, headers);
            if (id == null) {
                continue;
            }
            String sourceName = CloudEvents.source(name);
            if (sourceName == null) {
                return Optional.of(MessageId.ofBytes(id));
            }
            byte[] source = value(sourceName, headers);
            if (source != null) {
                return Optional.of(MessageId.ofBytes(CloudEvents.identity(source, id)));
            }
        }
        return Optional.empty();
    }

    private static byte @Nullable [] value(String name, Iterable<RawHeader> headers) {
        byte[] value = null;
        for (RawHeader header : headers) {
            if (header.name().equals(name)) {
                value = same(value, header);
            }
        }
        if (value == null) {
            for (RawHeader header : headers) {
                // Independent of the locale: in Turkish, the lower case of "ID" is not "id".
                if (header.name().equalsIgnoreCase(name)) {
                    value = same(value, header);
                }
            }
        }
        return value;
    }

    /** A blank value is none, so it neither hides another one nor contradicts it. */
    private static byte @Nullable [] same(byte @Nullable [] known, RawHeader header) {
        Supplier<String> origin = () -> "Header '" + MaskedId.plain(header.name()) + "'";
        byte[] value = IdValue.bytes(header.value(), origin);
        if (known == null || value == null) {
            return known == null ? value : known;
        }
        if (!Arrays.equals(known, value)) {
            throw new InvalidMessageIdException(origin.get()
                    + " is there more than once, with different values, so the id of the message is ambiguous. Let the producer"
                    + " set it once, or name another header in inbox.message-id.headers");
        }
        return known;
    }

    /**
     * What to throw for a message without an id: names the places that were searched, and headers that nearly were it. Never
     * tells values.
     *
     * @param consumer the consumer
     * @param position where the message is, such as {@code payments-0@42}
     * @param places what was looked at before the headers, such as {@code the property message_id}
     * @param headers the headers of the message
     */
    public MissingMessageIdException missing(
            String consumer, String position, List<String> places, Iterable<RawHeader> headers) {
        List<String> searched = new ArrayList<>(places);
        searched.addAll(names.stream().map(name -> "header '" + name + "'").toList());
        String hints =
                NearMisses.of(names, headers).stream().map(hint -> hint + ". ").collect(Collectors.joining());
        return new MissingMessageIdException("The message at " + position + " for consumer '" + consumer
                + "' has no id. Looked at: " + (searched.isEmpty() ? "nothing" : String.join(", ", searched)) + ". "
                + hints
                + "Let the producer set an id, name its header in inbox.message-id.headers, choose another source with"
                + " messageId of @IdempotentConsumer, or say what to do without an id: onMissingId of the annotation, or"
                + " inbox.message-id.on-missing for all consumers");
    }
}

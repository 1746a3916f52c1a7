package dev.unjank.trace.write;

import dev.unjank.trace.proto.PacketFields.InternedString;
import dev.unjank.trace.proto.ProtoWriter;
import java.util.HashMap;
import java.util.Map;

/** The interned strings of one kind in a packet sequence. Each is defined in the first packet that refers to it. */
final class InternedStrings {
    private final ProtoWriter definitions;
    private final int field;
    private final Map<String, Integer> numbers = new HashMap<>();

    InternedStrings(ProtoWriter definitions, int field) {
        this.definitions = definitions;
        this.field = field;
    }

    /** The number of a string; a new one is defined. */
    int number(String text) {
        Integer known = numbers.get(text);
        if (known != null) {
            return known;
        }
        int next = numbers.size() + 1;
        numbers.put(text, next);
        int entry = definitions.begin(field);
        definitions.varint(InternedString.IID, next);
        definitions.string(InternedString.STR, text);
        definitions.end(entry);
        return next;
    }

    /** Whether a string has a number, or there are fewer than {@code most}. */
    boolean hasRoomFor(String text, int most) {
        return numbers.size() < most || numbers.containsKey(text);
    }

    /** The number of strings. */
    int size() {
        return numbers.size();
    }

    /** Removes all strings; numbers start again. */
    void clear() {
        numbers.clear();
    }
}

package dev.unjank.trace.write;

import dev.unjank.trace.proto.PacketFields.InternedString;
import dev.unjank.trace.proto.ProtoWriter;
import java.util.HashMap;
import java.util.Map;

/** Texts of one kind that packets of a sequence refer to by numbers. Each is told in the first packet that refers to it. */
final class InternedStrings {
    private final ProtoWriter definitions;
    private final int field;
    private final Map<String, Integer> numbers = new HashMap<>();

    /** None yet. */
    InternedStrings(ProtoWriter told, int field) {
        this.definitions = told;
        this.field = field;
    }

    /** The number of a text. */
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

    /** Whether a text has a number, or is one of the first so many. */
    boolean hasRoomFor(String text, int most) {
        return numbers.size() < most || numbers.containsKey(text);
    }

    /** How many have a number. */
    int size() {
        return numbers.size();
    }

    /** Numbers begin anew. */
    void clear() {
        numbers.clear();
    }
}

package dev.unjank.trace.read.perfetto;

import dev.unjank.trace.build.TraceBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The key of an arg, such as {@code debug.request.headers[2].name}, with the keys nested in it. Traces repeat few
 * keys, so each is built and interned once.
 */
public final class ArgKey {
    private static final int MAX_LENGTH = 1024;

    /**
     * The maximum number of cached keys below an outermost key; further ones, in damaged traces, are built each time.
     */
    private static final int MAX_KNOWN = 1 << 14;

    private static final int NONE = -1;

    private final String text;
    private final ArgKey outermost;
    private int id = NONE;

    /** The number of cached keys below an outermost key. */
    private int known;

    private final Map<String, ArgKey> members = new HashMap<>(4);
    private final List<ArgKey> elements = new ArrayList<>(0);

    /** An outermost key. */
    public ArgKey(String text) {
        this.text = text;
        outermost = this;
    }

    private ArgKey(ArgKey around, String below) {
        String whole = around.text + below;
        text = whole.length() > MAX_LENGTH ? whole.substring(0, MAX_LENGTH) : whole;
        outermost = around.outermost;
    }

    public ArgKey member(String name) {
        ArgKey known = members.get(name);
        if (known != null) {
            return known;
        }
        ArgKey member = new ArgKey(this, "." + name);
        if (outermost.known < MAX_KNOWN) {
            outermost.known++;
            members.put(name, member);
        }
        return member;
    }

    /** The key of an element of this key; elements are requested in order. */
    public ArgKey element(int index) {
        if (index < elements.size()) {
            return elements.get(index);
        }
        ArgKey element = new ArgKey(this, "[" + index + "]");
        if (outermost.known < MAX_KNOWN && index == elements.size()) {
            outermost.known++;
            elements.add(element);
        }
        return element;
    }

    /** The id of the key's string. */
    public int id(TraceBuilder builder) {
        if (id == NONE) {
            id = builder.intern(text);
        }
        return id;
    }
}

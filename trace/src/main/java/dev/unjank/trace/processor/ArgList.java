package dev.unjank.trace.processor;

import dev.unjank.trace.collections.StringPool;
import dev.unjank.trace.processor.ArgSets.Arg;
import dev.unjank.trace.processor.ArgSets.Type;
import java.util.ArrayList;
import java.util.List;

/** Collects the arguments of a row, in order. */
final class ArgList {
    private final StringPool strings;
    private final List<Arg> args = new ArrayList<>();

    ArgList(StringPool strings) {
        this.strings = strings;
    }

    List<Arg> args() {
        return args;
    }

    boolean isEmpty() {
        return args.isEmpty();
    }

    /** Adds an argument whose flat key is its key. */
    ArgList add(String key, Type type, long value) {
        return add(key, key, type, value);
    }

    ArgList add(String flatKey, String key, Type type, long value) {
        int flat = strings.intern(flatKey);
        return add(flat, flatKey.equals(key) ? flat : strings.intern(key), type, value);
    }

    ArgList add(int flatKey, int key, Type type, long value) {
        args.add(new Arg(flatKey, key, type, value));
        return this;
    }

    ArgList integer(String key, long value) {
        return add(key, Type.INT, value);
    }

    ArgList unsigned(String key, long value) {
        return add(key, Type.UINT, value);
    }

    ArgList bool(String key, boolean value) {
        return add(key, Type.BOOL, value ? 1 : 0);
    }

    ArgList real(String key, double value) {
        return add(key, Type.REAL, Double.doubleToRawLongBits(value));
    }

    ArgList string(String key, String value) {
        return add(key, Type.STRING, strings.intern(value));
    }

    /** Adds a string that may be missing: then its value is NULL. */
    ArgList nullableString(String key, int value) {
        return add(key, Type.STRING, value < 0 ? ProcessorTable.NULL : value);
    }

    /** Adds a string by its id, unless it is negative. */
    ArgList string(String key, int value) {
        return value < 0 ? this : add(key, Type.STRING, value);
    }
}

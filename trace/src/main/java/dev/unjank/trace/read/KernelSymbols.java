package dev.unjank.trace.read;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The names of kernel functions to which the events of one packet sequence refer by number. */
final class KernelSymbols {
    /** Beyond this many in one sequence a trace is broken; further ones are not kept. */
    private static final int MAX_SYMBOLS = 1 << 20;

    private final Map<Long, byte[]> names = new HashMap<>();

    void add(long number, byte[] bytes, int from, int to) {
        if (names.size() < MAX_SYMBOLS) {
            names.put(number, Arrays.copyOfRange(bytes, from, to));
        }
    }

    /** The name of a function in UTF-8, null if it was never told. */
    byte @Nullable [] name(long number) {
        return names.get(number);
    }
}

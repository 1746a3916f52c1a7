package dev.unjank.trace.read.perfetto.ftrace;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The interned kernel functions of one packet sequence. A number is defined once, before it is used. While one thread
 * adds names, others may look up those that existed at some earlier point.
 */
public final class KernelSymbols {
    /** The limit per sequence, for damaged traces; the excess is dropped. */
    private static final int MAX_SYMBOLS = 1 << 20;

    private final Map<Long, Symbol> symbols = new ConcurrentHashMap<>();
    private int size;

    private static final class Symbol {
        final int index;
        final byte[] name;

        Symbol(int index, byte[] name) {
            this.index = index;
            this.name = name;
        }
    }

    public void add(long number, byte[] bytes, int from, int to) {
        if (size < MAX_SYMBOLS
                && symbols.putIfAbsent(number, new Symbol(size, Arrays.copyOfRange(bytes, from, to))) == null) {
            size++;
        }
    }

    /** The number of names; for the thread that adds them. */
    public int size() {
        return size;
    }

    /** The name of a function in UTF-8, null if it is not among the first {@code known}. */
    public byte @Nullable [] name(long number, int known) {
        Symbol symbol = symbols.get(number);
        return symbol == null || symbol.index >= known ? null : symbol.name;
    }
}

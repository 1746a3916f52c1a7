package dev.unjank.trace.collections;

import java.util.Comparator;
import java.util.function.ToLongFunction;

/**
 * Comparators by a long key. {@link Comparator#comparingLong} returns a serializable lambda, which no class data
 * sharing archive holds: the JVM would define a class for each of them at every start.
 */
public final class LongOrder {
    private LongOrder() {}

    /** {@return a comparator that puts the smallest key first} */
    public static <T> Comparator<T> ascending(ToLongFunction<? super T> key) {
        return (a, b) -> Long.compare(key.applyAsLong(a), key.applyAsLong(b));
    }

    /** {@return a comparator that puts the largest key first} */
    public static <T> Comparator<T> descending(ToLongFunction<? super T> key) {
        return (a, b) -> Long.compare(key.applyAsLong(b), key.applyAsLong(a));
    }
}

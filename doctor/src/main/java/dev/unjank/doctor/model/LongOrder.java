package dev.unjank.doctor.model;

import java.util.Comparator;
import java.util.function.ToLongFunction;

/**
 * Orders by numbers. {@link Comparator#comparingLong} and its kin make lambdas that can be serialized, which no cache of classes
 * holds: the JVM would make a class for each of them at every start.
 */
public final class LongOrder {
    private LongOrder() {}

    public static <T> Comparator<T> ascending(ToLongFunction<? super T> number) {
        return (a, b) -> Long.compare(number.applyAsLong(a), number.applyAsLong(b));
    }

    public static <T> Comparator<T> descending(ToLongFunction<? super T> number) {
        return (a, b) -> Long.compare(number.applyAsLong(b), number.applyAsLong(a));
    }
}

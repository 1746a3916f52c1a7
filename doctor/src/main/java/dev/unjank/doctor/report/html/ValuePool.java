package dev.unjank.doctor.report.html;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbers equal values from 0 in order of first appearance, so that each is written into the page once. Not
 * thread-safe.
 */
final class ValuePool<T> {
    private final Map<T, Integer> numbers = new HashMap<>();
    private final List<T> values = new ArrayList<>();

    /** {@return the number of a value} */
    int number(T value) {
        Integer known = numbers.putIfAbsent(value, values.size());
        if (known != null) {
            return known;
        }
        values.add(value);
        return values.size() - 1;
    }

    /** {@return all values, each at the index that is its number} */
    List<T> values() {
        return Collections.unmodifiableList(values);
    }
}

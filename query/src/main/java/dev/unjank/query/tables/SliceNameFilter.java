package dev.unjank.query.tables;

import dev.unjank.trace.model.IntColumn;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Strings;
import dev.unjank.trace.model.Trace;
import java.util.BitSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Finds slices by a predicate on their names. Each distinct name is tested once. */
final class SliceNameFilter {
    private static final int BATCH_ROWS = 1 << 10;

    private final Slices slices;

    /** Ids of matching names. */
    private final BitSet matching = new BitSet();

    SliceNameFilter(Trace trace, Predicate<String> test) {
        this.slices = trace.slices();
        Strings strings = trace.strings();
        for (int id = 0; id < strings.size(); id++) {
            if (test.test(strings.get(id))) {
                matching.set(id);
            }
        }
    }

    /** Matching slices, in order. */
    IntStream rows() {
        if (matching.isEmpty()) {
            return IntStream.empty();
        }
        IntColumn names = slices.columns().name();
        IntStream.Builder found = IntStream.builder();
        int[] read = new int[BATCH_ROWS];
        for (int first = 0; first < names.size(); first += read.length) {
            int count = names.read(first, read);
            for (int i = 0; i < count; i++) {
                if (matching.get(read[i])) {
                    found.add(first + i);
                }
            }
        }
        return found.build();
    }
}

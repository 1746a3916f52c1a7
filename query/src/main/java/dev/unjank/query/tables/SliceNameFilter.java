package dev.unjank.query.tables;

import dev.unjank.trace.model.IntColumn;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Strings;
import dev.unjank.trace.model.Trace;
import java.util.BitSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Finds slices by their names, each of which is looked at once however many slices have it. */
final class SliceNameFilter {
    private static final int ROWS_AT_ONCE = 1 << 10;

    private final Slices slices;

    /** By the id of a name. */
    private final BitSet wanted = new BitSet();

    SliceNameFilter(Trace trace, Predicate<String> test) {
        this.slices = trace.slices();
        Strings strings = trace.strings();
        for (int id = 0; id < strings.size(); id++) {
            if (test.test(strings.get(id))) {
                wanted.set(id);
            }
        }
    }

    /** All slices that pass, in order of their rows. */
    IntStream rows() {
        if (wanted.isEmpty()) {
            return IntStream.empty();
        }
        IntColumn names = slices.columns().name();
        IntStream.Builder found = IntStream.builder();
        int[] read = new int[ROWS_AT_ONCE];
        for (int first = 0; first < names.size(); first += read.length) {
            int count = names.read(first, read);
            for (int i = 0; i < count; i++) {
                if (wanted.get(read[i])) {
                    found.add(first + i);
                }
            }
        }
        return found.build();
    }
}

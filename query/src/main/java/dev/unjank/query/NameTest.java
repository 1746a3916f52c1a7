package dev.unjank.query;

import dev.unjank.trace.Slices;
import dev.unjank.trace.Strings;
import dev.unjank.trace.Trace;
import java.util.BitSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Finds slices by their names, each of which is looked at once however many slices have it. */
final class NameTest {
    private final Slices slices;
    private final BitSet wanted = new BitSet();

    NameTest(Trace trace, Predicate<String> test) {
        this.slices = trace.slices();
        Strings strings = trace.strings();
        for (int id = 0; id < strings.size(); id++) {
            if (test.test(strings.get(id))) {
                wanted.set(id);
            }
        }
    }

    boolean test(int row) {
        return wanted.get(slices.nameId(row));
    }

    /** All rows that pass, in order. */
    IntStream rows() {
        return wanted.isEmpty()
                ? IntStream.empty()
                : IntStream.range(0, slices.size()).filter(this::test);
    }
}

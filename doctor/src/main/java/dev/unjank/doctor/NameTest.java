package dev.unjank.doctor;

import dev.unjank.trace.Slices;
import dev.unjank.trace.Strings;
import dev.unjank.trace.Trace;
import java.util.function.Predicate;

/** A test of slices by their names that looks at each distinct name once. Not thread-safe. */
final class NameTest {
    private static final byte YES = 1;
    private static final byte NO = 2;

    private final Slices slices;
    private final Strings strings;
    private final Predicate<String> passes;
    private final byte[] known;

    NameTest(Trace trace, Predicate<String> passes) {
        this.slices = trace.slices();
        this.strings = trace.strings();
        this.passes = passes;
        this.known = new byte[strings.size()];
    }

    /**
     * {@return whether the name of a slice passes}
     */
    boolean test(int row) {
        int name = slices.nameId(row);
        if (known[name] == 0) {
            known[name] = passes.test(strings.get(name)) ? YES : NO;
        }
        return known[name] == YES;
    }
}

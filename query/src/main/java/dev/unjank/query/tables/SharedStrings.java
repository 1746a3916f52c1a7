package dev.unjank.query.tables;

import dev.unjank.query.load.StringDictionary;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Strings;
import dev.unjank.trace.model.Trace;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Texts that several tables refer to, encoded when the first of them is loaded. Not thread-safe. */
public final class SharedStrings {
    /** What Perfetto's trace processor calls a state that no thread has alone: a sleep that does not count as load. */
    static final int NOLOAD = SchedState.values().length;

    private final Supplier<Trace> trace;
    private final Arena arena = Arena.ofAuto();
    private @Nullable StringDictionary all;
    private @Nullable StringDictionary states;

    public SharedStrings(Supplier<Trace> trace) {
        this.trace = trace;
    }

    /** Every text of the trace, by its id there. */
    StringDictionary all() {
        StringDictionary dictionary = all;
        if (dictionary == null) {
            Strings strings = trace.get().strings();
            dictionary = StringDictionary.of(arena, strings.size(), strings::get);
            all = dictionary;
        }
        return dictionary;
    }

    /** The states of threads, by {@link #idOf}, and one more, by {@link #NOLOAD}. */
    StringDictionary states() {
        StringDictionary dictionary = states;
        if (dictionary == null) {
            Stream<String> names = Arrays.stream(SchedState.values()).map(SchedState::text);
            dictionary = StringDictionary.of(
                    arena, Stream.concat(names, Stream.of("N")).toList());
            states = dictionary;
        }
        return dictionary;
    }

    @SuppressWarnings("EnumOrdinal") // numbers entries of a dictionary that is made of the same enum, above
    static int idOf(SchedState state) {
        return state.ordinal();
    }
}

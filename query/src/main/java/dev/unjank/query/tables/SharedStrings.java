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

/** String dictionaries that several tables share, encoded on first use. Not thread-safe. */
public final class SharedStrings {
    /** Id of trace processor's label for a sleep that does not count as load, which is not a state of its own. */
    static final int NOLOAD = SchedState.values().length;

    private final Supplier<Trace> trace;
    private final Arena arena = Arena.ofAuto();
    private @Nullable StringDictionary traceStrings;
    private @Nullable StringDictionary states;

    public SharedStrings(Supplier<Trace> trace) {
        this.trace = trace;
    }

    /** All strings of the trace, by their ids. */
    StringDictionary traceStrings() {
        StringDictionary dictionary = traceStrings;
        if (dictionary == null) {
            Strings strings = trace.get().strings();
            dictionary = StringDictionary.of(arena, strings.size(), strings::get);
            traceStrings = dictionary;
        }
        return dictionary;
    }

    /** Labels of thread states, by {@link #idOf}, and the label {@link #NOLOAD}. */
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

    @SuppressWarnings("EnumOrdinal") // index into a dictionary of the same enum
    static int idOf(SchedState state) {
        return state.ordinal();
    }
}

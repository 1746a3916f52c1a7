package dev.unjank.trace.convert;

import dev.unjank.trace.model.Callstacks;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.write.PerfSampleWriter.Call;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the stacks of a trace's samples in the form in which they are written to another trace. Not thread-safe. */
public final class CallstackReader {
    private final Callstacks calls;
    private final Map<Integer, List<Call>> stacks = new HashMap<>();

    /**
     * The stacks of a trace.
     *
     * @param trace the trace
     */
    public CallstackReader(Trace trace) {
        calls = trace.callstacks();
    }

    /**
     * {@return the calls of a stack, the outermost first}
     *
     * @param innermost the innermost call, a row of {@link Callstacks}; -1 if unknown
     */
    public List<Call> stack(int innermost) {
        return innermost < 0 ? List.of() : stacks.computeIfAbsent(innermost, this::read);
    }

    private List<Call> read(int innermost) {
        List<Call> stack = new ArrayList<>();
        for (int call = innermost; call >= 0; call = calls.parent(call)) {
            String file = calls.file(call);
            stack.add(new Call(calls.name(call), file == null ? "" : file));
        }
        return List.copyOf(stack.reversed());
    }
}

package dev.unjank.trace.convert;

import dev.unjank.trace.model.Callstacks;
import dev.unjank.trace.model.StackSamples;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.write.PerfSampleWriter;
import dev.unjank.trace.write.PerfSampleWriter.Call;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes the stack samples of running threads. Line numbers and samples of waiting threads are not written, since
 * Perfetto's format of CPU profiles has neither.
 */
final class StackSampleWriter {
    private final Trace trace;
    private final StackSamples samples;
    private final Callstacks calls;
    private final PerfSampleWriter out;
    private final Map<Integer, List<Call>> stacks = new HashMap<>();

    StackSampleWriter(Trace trace, PerfSampleWriter out) {
        this.trace = trace;
        this.out = out;
        samples = trace.samples();
        calls = trace.callstacks();
    }

    /** Writes the samples, and returns the number of samples of waiting threads, which are dropped. */
    long write() throws IOException {
        Threads threads = trace.threads();
        long left = 0;
        for (int row = 0; row < samples.size(); row++) {
            if (!samples.isRunning(row)) {
                left++;
                continue;
            }
            int utid = samples.utid(row);
            int upid = threads.upid(utid);
            int pid = upid < 0 ? 0 : trace.processes().pid(upid);
            out.sample(samples.ts(row), samples.cpu(row), pid, threads.tid(utid), stack(samples.callstack(row)));
        }
        return left;
    }

    private List<Call> stack(int innermost) {
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

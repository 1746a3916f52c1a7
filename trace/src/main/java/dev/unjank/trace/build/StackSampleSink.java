package dev.unjank.trace.build;

import dev.unjank.trace.build.event.SampleEvent;
import dev.unjank.trace.build.tracker.CallstackInterner;
import dev.unjank.trace.model.Callstacks;

/** Sink of stack samples from profilers. */
public final class StackSampleSink {
    private final EventLogs logs;
    final CallstackInterner callstacks = new CallstackInterner();

    StackSampleSink(EventLogs logs) {
        this.logs = logs;
    }

    /**
     * Adds a call; equal calls have equal numbers.
     *
     * @param parent the caller's number, -1 for the outermost call
     * @param name the function's name
     * @param file the source file or the library, -1 if unknown
     * @param line the line, {@link Callstacks#NO_LINE} if unknown
     * @return the number, for {@link #sample} and as a {@code parent}
     */
    public int call(int parent, int name, int file, int line) {
        return callstacks.add(parent, name, file, line);
    }

    /**
     * Adds a stack sample.
     *
     * @param ts the time in ns
     * @param tid the thread
     * @param pid its process, 0 if unknown
     * @param cpu the CPU, -1 if unknown
     * @param call the innermost call, from {@link #call}; -1 if unknown
     * @param running whether it was executing code, not waiting
     */
    public void sample(long ts, int tid, int pid, int cpu, int call, boolean running) {
        if (logs.accept(ts)) {
            SampleEvent.add(logs.current(), ts, tid, pid, cpu, call, running);
        }
    }
}

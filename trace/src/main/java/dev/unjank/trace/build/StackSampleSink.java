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
     * Adds a call and returns its number; equal calls have equal numbers. The parent of the outermost call is -1, an
     * unknown file -1, an unknown line {@link Callstacks#NO_LINE}.
     */
    public int call(int parent, int name, int file, int line) {
        return callstacks.add(parent, name, file, line);
    }

    /** Adds a stack sample. The pid is 0 if unknown, the CPU and the innermost call, from {@link #call}, -1. */
    public void sample(long ts, int tid, int pid, int cpu, int call, boolean running) {
        SampleEvent.add(logs.at(ts), ts, tid, pid, cpu, call, running);
    }
}

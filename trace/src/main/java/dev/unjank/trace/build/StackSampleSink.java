package dev.unjank.trace.build;

import dev.unjank.trace.build.event.EventKind;
import dev.unjank.trace.build.tracker.CallstackInterner;
import dev.unjank.trace.collections.BlockPool;
import dev.unjank.trace.collections.IntPair;
import dev.unjank.trace.model.Callstacks;
import dev.unjank.trace.model.ThreadStateBits;

/** Sink of stack samples from profilers. */
public abstract class StackSampleSink extends TrackEventSink {
    final CallstackInterner callstacks = new CallstackInterner();

    StackSampleSink(BlockPool pool) {
        super(pool);
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
    public final int call(int parent, int name, int file, int line) {
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
    public final void sample(long ts, int tid, int pid, int cpu, int call, boolean running) {
        if (accept(ts)) {
            int known = cpu < 0 || cpu >= ThreadStateBits.MAX_CPUS ? 0 : cpu + 1;
            long header = EventKind.SAMPLE | (running ? EventKind.SAMPLE_RUNNING : 0) | (long) known << 16;
            currentLog.add(header, ts, IntPair.pack(tid, pid), IntPair.pack(call, 0));
        }
    }
}

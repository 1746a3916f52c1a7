package dev.unjank.trace.build;

import dev.unjank.trace.build.event.EventKind;
import dev.unjank.trace.build.tracker.CallstackInterner;
import dev.unjank.trace.collections.BlockPool;
import dev.unjank.trace.collections.IntPair;
import dev.unjank.trace.model.Callstacks;
import dev.unjank.trace.model.ThreadStateBits;

/** What profilers tell: where in its code a thread was at a moment. */
public abstract class StackSampleSink extends TrackEventSink {
    final CallstackInterner callstacks = new CallstackInterner();

    StackSampleSink(BlockPool pool) {
        super(pool);
    }

    /**
     * Gives a call a number. Equal calls have the same.
     *
     * @param parent the number of the call that made this one, -1 for the outermost
     * @param name of the function
     * @param file the source file or the library, -1 if unknown
     * @param line where in the file, {@link Callstacks#NO_LINE} if unknown
     * @return the number, for {@link #sample} and as a {@code parent}
     */
    public final int call(int parent, int name, int file, int line) {
        return callstacks.add(parent, name, file, line);
    }

    /**
     * A profiler looked at a thread.
     *
     * @param ts the time in ns
     * @param tid the thread
     * @param pid its process, 0 if unknown
     * @param cpu the CPU, -1 if unknown
     * @param call the innermost call, from {@link #call}; -1 if unknown
     * @param running whether it was executing code, and not waiting
     */
    public final void sample(long ts, int tid, int pid, int cpu, int call, boolean running) {
        if (accept(ts)) {
            int known = cpu < 0 || cpu >= ThreadStateBits.MAX_CPUS ? 0 : cpu + 1;
            long header = EventKind.SAMPLE | (running ? EventKind.SAMPLE_RUNNING : 0) | (long) known << 16;
            currentLog.add(header, ts, IntPair.pack(tid, pid), IntPair.pack(call, 0));
        }
    }
}

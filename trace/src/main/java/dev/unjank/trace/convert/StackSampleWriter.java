package dev.unjank.trace.convert;

import dev.unjank.trace.model.StackSamples;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.write.PerfSampleWriter;
import java.io.IOException;

/**
 * Writes the stack samples of running threads. Line numbers and samples of waiting threads are not written, since
 * Perfetto's format of CPU profiles has neither.
 */
final class StackSampleWriter {
    private final Trace trace;
    private final StackSamples samples;
    private final PerfSampleWriter out;
    private final CallstackReader stacks;

    StackSampleWriter(Trace trace, PerfSampleWriter out) {
        this.trace = trace;
        this.out = out;
        samples = trace.samples();
        stacks = new CallstackReader(trace);
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
            out.sample(samples.ts(row), samples.cpu(row), pid, threads.tid(utid), stacks.stack(samples.callstack(row)));
        }
        return left;
    }
}

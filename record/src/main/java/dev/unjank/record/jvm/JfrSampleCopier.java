package dev.unjank.record.jvm;

import dev.unjank.record.agent.LockOwnerSampler;
import dev.unjank.record.session.TraceSink;
import dev.unjank.trace.convert.CallstackReader;
import dev.unjank.trace.model.StackSamples;
import dev.unjank.trace.model.Trace;

/**
 * Copies the stack samples of running threads from Flight Recorder chunks into a recording. The recorder's own thread
 * is left out.
 */
final class JfrSampleCopier {
    /** Samples per batch, which bounds the time under the file's lock. */
    private static final int BATCH = 128;

    private JfrSampleCopier() {}

    /** Copies the samples of a chunk, and returns their number. */
    static long copy(Trace chunk, JfrClockConverter clock, int pid, TraceSink sink) {
        StackSamples samples = chunk.samples();
        CallstackReader stacks = new CallstackReader(chunk);
        long[] copied = new long[1];
        for (int from = 0; from < samples.size(); from += BATCH) {
            int first = from;
            int end = Math.min(samples.size(), from + BATCH);
            sink.write(segment -> {
                for (int row = first; row < end; row++) {
                    long ts = clock.nanos(samples.ts(row));
                    int utid = samples.utid(row);
                    boolean isOwn = LockOwnerSampler.NAME.equals(chunk.threads().name(utid));
                    if (samples.isRunning(row) && !isOwn && sink.interval().touches(ts, ts)) {
                        segment.samples()
                                .sample(
                                        ts,
                                        samples.cpu(row),
                                        pid,
                                        chunk.threads().tid(utid),
                                        stacks.stack(samples.callstack(row)));
                        copied[0]++;
                    }
                }
            });
        }
        return copied[0];
    }
}

package dev.unjank.trace.read.jfr;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.collections.LongRows;

/** Collects stack samples. */
final class ExecutionSamples {
    private final LongRows rows = new LongRows(3);

    /** Adds a sample with the builder's number of its innermost call, -1 if unknown. */
    void add(long ns, int thread, int call, boolean running) {
        rows.add(ns, (long) thread << 1 | (running ? 1 : 0), call);
    }

    /** The time of the last sample in which a thread ran; {@link Long#MIN_VALUE} if there is none. */
    long lastOf(int thread) {
        long last = Long.MIN_VALUE;
        for (int row = 0; row < rows.size(); row++) {
            if (rows.get(row, 1) == ((long) thread << 1 | 1)) {
                last = Math.max(last, rows.get(row, 0));
            }
        }
        return last;
    }

    /** Adds all samples to a builder. */
    void emitTo(TraceBuilder builder, JfrThreads threads, int pid) {
        for (int row = 0; row < rows.size(); row++) {
            long threadAndRunning = rows.get(row, 1);
            int tid = threads.tid((int) (threadAndRunning >> 1));
            builder.samples()
                    .sample(rows.get(row, 0), tid, pid, -1, (int) rows.get(row, 2), (threadAndRunning & 1) != 0);
        }
    }
}

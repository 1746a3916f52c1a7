package dev.unjank.trace.build.tracker;

import dev.unjank.trace.collections.BlockPool;
import dev.unjank.trace.collections.GroupedRows;
import dev.unjank.trace.collections.IntPair;
import dev.unjank.trace.model.IntColumn;
import dev.unjank.trace.model.LongColumn;
import dev.unjank.trace.model.ShortColumn;
import dev.unjank.trace.model.StackSamples;

/** Collects stack samples in time order. */
public final class StackSampleTracker {
    // Words of a sample: the time; stack | twice the CPU, plus 1 if the thread was running.
    private static final int TIME = 0;
    private static final int STACK_AND_CPU = 1;
    private static final int WORD_BITS = 1;

    /** The samples of each thread. */
    private final GroupedRows samples;

    public StackSampleTracker(BlockPool pool) {
        samples = new GroupedRows(pool, WORD_BITS);
    }

    public void add(long ts, int utid, int cpu, int callstack, boolean running) {
        samples.set(samples.add(utid), ts, IntPair.pack(callstack, cpu << 1 | (running ? 1 : 0)));
    }

    public StackSamples samples(int threads) {
        int[] firsts = samples.settle(threads);
        int rows = firsts[threads];
        LongColumn.Filler times = new LongColumn.Filler(rows);
        IntColumn.Filler utids = new IntColumn.Filler(rows);
        ShortColumn.Filler cpus = new ShortColumn.Filler(rows);
        IntColumn.Filler callstacks = new IntColumn.Filler(rows);
        ShortColumn.Filler running = new ShortColumn.Filler(rows);
        long[] read = samples.arrayForRun();
        for (int utid = 0; utid < threads; utid++) {
            for (int run = samples.firstRun(utid); run != GroupedRows.NONE; run = samples.nextRun(run)) {
                int words = samples.read(run, utid, read) << WORD_BITS;
                for (int at = 0; at < words; at += 1 << WORD_BITS) {
                    long stackAndCpu = read[at + STACK_AND_CPU];
                    times.add(read[at + TIME]);
                    utids.add(utid);
                    callstacks.add(IntPair.high(stackAndCpu));
                    cpus.add((short) (IntPair.low(stackAndCpu) >> 1));
                    running.add((short) (stackAndCpu & 1));
                }
            }
        }
        samples.release();
        return new StackSamples(
                firsts,
                new StackSamples.Columns(
                        times.column(), utids.column(), cpus.column(), callstacks.column(), running.column()));
    }
}

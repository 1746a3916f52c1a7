package dev.unjank.trace;

/** Collects samples of stacks, in order of time. */
final class SampleTracker {
    private final LongLog times = new LongLog();
    private final IntLog utids = new IntLog();
    private final IntLog callstacks = new IntLog();

    /** The CPU, doubled, and whether the thread ran. */
    private final IntLog cpusAndRunning = new IntLog();

    void add(long ts, int utid, int cpu, int callstack, boolean running) {
        times.add(ts);
        utids.add(utid);
        callstacks.add(callstack);
        cpusAndRunning.add(cpu << 1 | (running ? 1 : 0));
    }

    StackSamples samples(int threads) {
        int rows = times.size();
        int[] counts = new int[threads + 1];
        for (int row = 0; row < rows; row++) {
            counts[utids.get(row)]++;
        }
        int[] next = SchedTracker.offsets(counts, threads + 1);
        int[] firsts = next.clone();
        int[] targets = new int[rows];
        for (int row = 0; row < rows; row++) {
            targets[row] = next[utids.get(row)]++;
        }
        short[] cpus = new short[rows];
        short[] running = new short[rows];
        for (int row = 0; row < rows; row++) {
            int packed = cpusAndRunning.get(row);
            cpus[targets[row]] = (short) (packed >> 1);
            running[targets[row]] = (short) (packed & 1);
        }
        return new StackSamples(
                firsts,
                new StackSamples.Columns(
                        times.moveTo(targets),
                        utids.moveTo(targets),
                        ShortColumn.of(cpus),
                        callstacks.moveTo(targets),
                        ShortColumn.of(running)));
    }
}

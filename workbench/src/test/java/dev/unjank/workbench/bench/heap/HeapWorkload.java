package dev.unjank.workbench.bench.heap;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.function.Supplier;

/**
 * Fills heaps, turns them over and drains them. Loaded anew for each variant, so that all calls in it have one target.
 *
 * <p>The clock is the CPU time of the thread: of what others run on the machine it has only the caches that they take.
 */
final class HeapWorkload implements IntToDoubleFunction {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int MESSAGES = 100_000;

    /** Between two looks at the clock, which takes as long as some tens of operations. */
    private static final int AT_LEAST = 2000;

    private static final int SEED = 17;

    private final Supplier<Object> heaps;
    private final Object[] items = new Object[MESSAGES];
    private final long[] majors = new long[MESSAGES];
    private final long[] delays = new long[MESSAGES];
    private long minor;
    private long sum;

    /** For heaps of the loader of this class. */
    HeapWorkload(Supplier<Object> heaps) {
        this.heaps = heaps;
        for (int i = 0; i < items.length; i++) {
            items[i] = new Object();
        }
    }

    @Override
    public double applyAsDouble(int number) {
        HeapMeasurement work = HeapMeasurement.ALL.get(number);
        choose(work);
        int size = work.size();
        HeapTemplate[] few = new HeapTemplate[Math.max(1, AT_LEAST / size)];
        for (int i = 0; i < few.length; i++) {
            few[i] = (HeapTemplate) heaps.get();
        }
        int messages = few.length * size;
        long ns = 0;
        int done = 0;
        for (; done + messages <= MESSAGES; done += messages) {
            long start = THREADS.getCurrentThreadCpuTime();
            for (int i = 0; i < few.length; i++) {
                fill(few[i], work.operation() == HeapMeasurement.Operation.HEAPIFY, done + i * size, size);
            }
            long filled = THREADS.getCurrentThreadCpuTime();
            if (work.operation() == HeapMeasurement.Operation.HOLD) {
                for (int i = 0; i < few.length; i++) {
                    hold(few[i], done + i * size, size);
                }
            }
            long held = THREADS.getCurrentThreadCpuTime();
            for (HeapTemplate heap : few) {
                drain(heap);
            }
            long drained = THREADS.getCurrentThreadCpuTime();
            ns += switch (work.operation()) {
                case ADD, HEAPIFY -> filled - start;
                case HOLD -> held - filled;
                case REMOVE -> drained - held;
            };
        }
        return (double) ns / done;
    }

    private void choose(HeapMeasurement work) {
        Random random = new Random(SEED);
        for (int i = 0; i < MESSAGES; i++) {
            switch (work.order()) {
                case RANDOM -> set(i, random.nextInt(1 << 30), random.nextInt(1 << 30));
                case TIES -> set(i, random.nextInt(64), random.nextInt(64));
                case SORTED -> set(i, i % work.size(), work.size());
                case FIFO -> set(i, 5, 0);
            }
        }
    }

    private void set(int i, long major, long delay) {
        majors[i] = major;
        delays[i] = delay;
    }

    private void fill(HeapTemplate heap, boolean heapify, int from, int count) {
        if (!heapify) {
            for (int i = from; i < from + count; i++) {
                heap.add(items[i], majors[i], minor++);
            }
            return;
        }
        for (int i = from; i < from + count; i++) {
            heap.append(items[i], majors[i], minor++);
        }
        heap.heapify();
    }

    private void hold(HeapTemplate heap, int from, int count) {
        for (int i = from; i < from + count; i++) {
            long now = heap.firstMajor();
            heap.add(heap.removeFirst(), now + delays[i], minor++);
        }
    }

    private void drain(HeapTemplate heap) {
        while (heap.size() > 0) {
            sum += heap.firstMajor();
            heap.removeFirst();
        }
    }

    /** Something that all measured work went into. */
    @Override
    public String toString() {
        return "sum of all keys: " + sum;
    }
}

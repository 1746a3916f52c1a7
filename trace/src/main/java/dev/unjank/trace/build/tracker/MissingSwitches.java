package dev.unjank.trace.build.tracker;

import dev.unjank.trace.collections.FilledArrays;
import dev.unjank.trace.model.DataLoss;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Threads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds switches that were lost without a record of the loss: an event of a CPU contradicts the last switch there. The
 * events between the CPU's last event before the contradiction and the next one are lost. Events at the same time do
 * not contradict each other, since their order is not known. A loss between two events that fit together cannot be
 * found.
 */
final class MissingSwitches {
    /** No switch of the CPU has been seen. */
    private static final int NONE = -1;

    /** The thread that was on the CPU has been put on another one: a switch is missing. */
    private static final int LEFT = -2;

    // Per CPU: the thread that runs there; the times of the CPU's last event, and of the last change of that thread.
    private int[] running = FilledArrays.of(8, NONE);
    private long[] lastNs = new long[8];
    private long[] changedNs = new long[8];

    /** Per thread: the CPU on which it was put last. */
    private int[] cpus = FilledArrays.of(256, NONE);

    private final List<DataLoss> losses = new ArrayList<>();

    /** A switch that names both threads: the one that leaves must be the one that runs. */
    void switched(long ts, int cpu, int prev, int next) {
        reserve(cpu);
        check(ts, cpu, running[cpu] == prev);
        putOn(ts, cpu, next);
    }

    /** A compact switch does not name the thread that leaves, but its state: an idle thread does not sleep. */
    void switchedTo(long ts, int cpu, SchedState prevState, int next) {
        reserve(cpu);
        boolean isIdle = running[cpu] == Threads.IDLE;
        check(ts, cpu, isIdle ? prevState.isRunnable() && next != Threads.IDLE : running[cpu] != next);
        putOn(ts, cpu, next);
    }

    /** A thread did something on a CPU, so it runs there. */
    void ranOn(long ts, int cpu, int utid) {
        if (cpu >= 0 && cpu < running.length && running[cpu] != NONE && ts > changedNs[cpu]) {
            check(ts, cpu, running[cpu] == utid);
            running[cpu] = utid;
            lastNs[cpu] = ts;
        }
    }

    private void check(long ts, int cpu, boolean fits) {
        if (running[cpu] == LEFT ? ts > changedNs[cpu] : running[cpu] != NONE && !fits) {
            losses.add(DataLoss.found(cpu, lastNs[cpu], ts));
        }
    }

    private void putOn(long ts, int cpu, int next) {
        if (next != Threads.IDLE) {
            if (next >= cpus.length) {
                cpus = FilledArrays.grown(cpus, Math.max(next + 1, cpus.length * 2), NONE);
            }
            int before = cpus[next];
            if (before != NONE && before != cpu && running[before] == next) {
                running[before] = LEFT;
                changedNs[before] = ts;
            }
            cpus[next] = cpu;
        }
        running[cpu] = next;
        lastNs[cpu] = ts;
        changedNs[cpu] = ts;
    }

    private void reserve(int cpu) {
        if (cpu >= running.length) {
            int capacity = Math.max(cpu + 1, running.length * 2);
            running = FilledArrays.grown(running, capacity, NONE);
            lastNs = Arrays.copyOf(lastNs, capacity);
            changedNs = Arrays.copyOf(changedNs, capacity);
        }
    }

    /**
     * {@return the losses that are not among those that the trace records, in no order}
     *
     * @param recorded the losses that the trace records
     * @param endNs the end of the trace
     */
    List<DataLoss> losses(List<DataLoss> recorded, long endNs) {
        for (int cpu = 0; cpu < running.length; cpu++) {
            if (running[cpu] == LEFT) {
                losses.add(DataLoss.found(cpu, lastNs[cpu], endNs));
            }
        }
        return losses.stream()
                .filter(loss -> loss.startNs() < loss.endNs())
                .filter(loss -> recorded.stream().noneMatch(other -> covers(other, loss)))
                .toList();
    }

    private static boolean covers(DataLoss recorded, DataLoss found) {
        return (recorded.cpu() == found.cpu() || recorded.cpu() == DataLoss.ANY_CPU)
                && recorded.startNs() < found.endNs()
                && found.startNs() < recorded.endNs();
    }
}

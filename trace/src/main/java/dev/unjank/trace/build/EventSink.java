package dev.unjank.trace.build;

import dev.unjank.trace.build.event.EventKind;
import dev.unjank.trace.build.event.EventLog;
import dev.unjank.trace.build.event.IdRemapping;
import dev.unjank.trace.collections.BlockPool;
import dev.unjank.trace.collections.IntPair;
import dev.unjank.trace.collections.StringPool;
import dev.unjank.trace.model.ThreadStateBits;
import java.util.Arrays;

/**
 * Notes events in the logs of the CPUs on which they were written. What events there are, the classes built on this one say, a
 * family each: {@link KernelEventSink}, {@link RareKernelEventSink}, {@link ProgramEventSink}, {@link TrackEventSink}, {@link StackSampleSink}; {@link TraceBuilder} is all of them.
 */
public abstract class EventSink {
    final StringPool strings = new StringPool();

    final BlockPool pool;

    /** Log 0 has the events of no CPU, log 1 + n those of CPU n. */
    EventLog[] logs;

    /** The log of the CPU that {@link #onCpu} named. */
    EventLog currentLog;

    private long badCpus;
    private long badTimes;
    private long startNs = Long.MAX_VALUE;
    private long endNs = Long.MIN_VALUE;

    EventSink(BlockPool pool) {
        this.pool = pool;
        currentLog = new EventLog(pool);
        logs = new EventLog[] {currentLog};
    }

    /**
     * Gives a text an id.
     *
     * @param text a string
     * @return the id; equal strings have equal ids
     */
    public final int intern(String text) {
        return strings.intern(text);
    }

    /**
     * Gives a text an id.
     *
     * @param bytes an array that contains the string in UTF-8
     * @param from the index of the first byte
     * @param length its length in bytes
     * @return the id; equal strings have equal ids
     */
    public final int intern(byte[] bytes, int from, int length) {
        return strings.intern(bytes, from, length);
    }

    /**
     * Gives a text an id, sooner if it is the text that it is taken for.
     *
     * @param bytes an array that contains the string in UTF-8
     * @param from the index of the first byte
     * @param length its length in bytes
     * @param likely the id of the text that it most likely is, -1 for none
     * @return the id; equal strings have equal ids
     */
    public final int intern(byte[] bytes, int from, int length, int likely) {
        return strings.intern(bytes, from, length, likely);
    }

    /**
     * Says on which CPU the events that follow were written, until told otherwise. Only {@link ProgramEventSink#begin} and the other methods
     * that have no CPU among their parameters ask. It changes nothing in the result but the order of events of equal times,
     * and makes loading faster, since the events of one CPU come in order.
     *
     * @param cpu the CPU, -1 for none
     */
    public final void onCpu(int cpu) {
        currentLog = cpu < 0 || cpu >= ThreadStateBits.MAX_CPUS ? logs[0] : log(cpu);
    }

    final EventLog log(int cpu) {
        int index = 1 + cpu;
        if (index >= logs.length) {
            int from = logs.length;
            logs = Arrays.copyOf(logs, index + 1);
            for (int i = from; i < logs.length; i++) {
                logs[i] = new EventLog(pool);
            }
        }
        return logs[index];
    }

    final boolean accept(long ts, int cpu) {
        if (cpu < 0 || cpu >= ThreadStateBits.MAX_CPUS) {
            badCpus++;
            return false;
        }
        return accept(ts);
    }

    final boolean accept(long ts) {
        if (ts < 0) {
            badTimes++;
            return false;
        }
        startNs = Math.min(startNs, ts);
        endNs = Math.max(endNs, ts);
        return true;
    }

    final void addEvent(long header, long ts, int high, int low) {
        if (accept(ts)) {
            currentLog.add(header, ts, IntPair.pack(high, low));
        }
    }

    /**
     * Something happened that the model has no place for. The trace lasts from its first event to its last, whatever these
     * are; and of events of equal times it depends on those before which of them comes first.
     *
     * @param ts the time in ns
     */
    public final void unmodeledEvent(long ts) {
        if (accept(ts)) {
            currentLog.add(EventKind.OTHER, ts);
        }
    }

    /**
     * As {@link #unmodeledEvent}, of something that may have happened long before the trace began: a line of a log.
     *
     * @param ts the time in ns
     */
    public final void logLine(long ts) {
        if (ts >= 0) {
            currentLog.add(EventKind.OTHER, ts);
        }
    }

    /**
     * {@return whether nothing has happened}
     */
    public final boolean isEmpty() {
        return startNs > endNs;
    }

    /**
     * {@return the time of the earliest event in ns, 0 if there is none}
     */
    public final long startNs() {
        return startNs == Long.MAX_VALUE ? 0 : startNs;
    }

    /**
     * {@return the time of the last event in ns, 0 if there is none}
     */
    public final long endNs() {
        return endNs == Long.MIN_VALUE ? 0 : endNs;
    }

    /** How many events name a CPU that no machine has. */
    final long badCpus() {
        return badCpus;
    }

    /** How many events are of a time before the clock's beginning. */
    final long badTimes() {
        return badTimes;
    }

    /** Whether there is a CPU of which another sink, made later by so much, has events of a time of which this one has some. */
    final boolean overlaps(EventSink other, long laterNs) {
        for (int i = 1; i < Math.min(logs.length, other.logs.length); i++) {
            if (logs[i].overlaps(other.logs[i], laterNs)) {
                return true;
            }
        }
        return false;
    }

    /** Adds the events of another sink behind those of this one. */
    final void appendEvents(EventSink part, IdRemapping numbers) {
        for (int i = 0; i < part.logs.length; i++) {
            EventLog log = i == 0 ? logs[0] : log(i - 1);
            log.append(part.logs[i], numbers);
        }
        if (!part.isEmpty()) {
            startNs = Math.min(startNs, part.startNs + numbers.shiftNs());
            endNs = Math.max(endNs, part.endNs + numbers.shiftNs());
        }
        badCpus += part.badCpus;
        badTimes += part.badTimes;
    }
}

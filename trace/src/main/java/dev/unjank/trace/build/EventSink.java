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
 * Stores events in one log per CPU. The subclasses define the events, one family each: {@link KernelEventSink},
 * {@link RareKernelEventSink}, {@link ProgramEventSink}, {@link TrackEventSink}, {@link StackSampleSink}; {@link
 * TraceBuilder} inherits all of them.
 */
public abstract class EventSink {
    final StringPool strings = new StringPool();

    final BlockPool pool;

    /** Log 0 contains the events without a CPU, log 1 + n those of CPU n. */
    EventLog[] logs;

    /** The log of the CPU set by {@link #onCpu}. */
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
     * Interns a string.
     *
     * @param text a string
     * @return the id; equal strings have equal ids
     */
    public final int intern(String text) {
        return strings.intern(text);
    }

    /**
     * Interns a string.
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
     * Interns a string that is probably known already; faster if the guess is right.
     *
     * @param bytes an array that contains the string in UTF-8
     * @param from the index of the first byte
     * @param length its length in bytes
     * @param likely the id of the probable string, -1 for none
     * @return the id; equal strings have equal ids
     */
    public final int intern(byte[] bytes, int from, int length, int likely) {
        return strings.intern(bytes, from, length, likely);
    }

    /**
     * Sets the CPU on which the following events were recorded. It is used by {@link ProgramEventSink#begin} and the
     * other methods without a CPU parameter. It affects only the order of events with equal times, and it makes
     * loading faster because the events of one CPU arrive in order.
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
     * Adds an event that the model does not contain. It counts for the start and end of the trace, and for the order
     * of other events with equal times.
     *
     * @param ts the time in ns
     */
    public final void unmodeledEvent(long ts) {
        if (accept(ts)) {
            currentLog.add(EventKind.OTHER, ts);
        }
    }

    /** Adds an event like {@link #unmodeledEvent} that may be much older than the trace: a line of a log. */
    public final void logLine(long ts) {
        if (ts >= 0) {
            currentLog.add(EventKind.OTHER, ts);
        }
    }

    /** {@return whether there are no events} */
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

    /** The number of events with an impossible CPU number. */
    final long badCpus() {
        return badCpus;
    }

    /** The number of events with a negative time. */
    final long badTimes() {
        return badTimes;
    }

    /** Whether there is a CPU on which the events of both sinks overlap in time, if those of the other are shifted. */
    final boolean overlaps(EventSink other, long shiftNs) {
        for (int i = 1; i < Math.min(logs.length, other.logs.length); i++) {
            if (logs[i].overlaps(other.logs[i], shiftNs)) {
                return true;
            }
        }
        return false;
    }

    /** Appends the events of another sink. */
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

package dev.unjank.trace.build;

import dev.unjank.trace.build.event.EventLog;
import dev.unjank.trace.build.event.IdRemapping;
import dev.unjank.trace.collections.BlockPool;
import dev.unjank.trace.model.ThreadStateBits;
import java.util.Arrays;

/**
 * The events of a trace: one log per CPU, and the range of their times. Events with impossible numbers are rejected.
 */
final class EventLogs {
    private final BlockPool pool;

    /** Log 0 contains the events without a CPU, log 1 + n those of CPU n. */
    private EventLog[] logs;

    /** The log of the CPU set by {@link #onCpu}. */
    private EventLog current;

    /** The number of events with an impossible CPU number. */
    long badCpus;
    /** The number of events with a negative time. */
    long badTimes;

    private long startNs = Long.MAX_VALUE;
    private long endNs = Long.MIN_VALUE;

    EventLogs(BlockPool pool) {
        this.pool = pool;
        current = new EventLog(pool);
        logs = new EventLog[] {current};
    }

    /** All logs, in the order of their numbers. */
    EventLog[] all() {
        return logs;
    }

    /** The log of the CPU set by {@link #onCpu}. */
    EventLog current() {
        return current;
    }

    /** Sets the CPU of the log for events without a CPU of their own; -1 if unknown. */
    void onCpu(int cpu) {
        current = cpu < 0 || cpu >= ThreadStateBits.MAX_CPUS ? logs[0] : log(cpu);
    }

    /** The log of the CPU set by {@link #onCpu}; for a time that is rejected, one that is not among the logs. */
    EventLog at(long ts) {
        return accept(ts) ? current : new EventLog(pool);
    }

    /** As {@link #at}, for a fact about the machine, which does not count for the range of the times. */
    EventLog forFact(long ts) {
        if (ts < 0) {
            badTimes++;
            return new EventLog(pool);
        }
        return current;
    }

    EventLog log(int cpu) {
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

    boolean accept(long ts, int cpu) {
        if (cpu < 0 || cpu >= ThreadStateBits.MAX_CPUS) {
            badCpus++;
            return false;
        }
        return accept(ts);
    }

    boolean accept(long ts) {
        if (ts < 0) {
            badTimes++;
            return false;
        }
        startNs = Math.min(startNs, ts);
        endNs = Math.max(endNs, ts);
        return true;
    }

    /** Whether there are no events. */
    boolean isEmpty() {
        return startNs > endNs;
    }

    /** The time of the earliest event in ns, 0 if there is none. */
    long startNs() {
        return startNs == Long.MAX_VALUE ? 0 : startNs;
    }

    /** The time of the last event in ns, 0 if there is none. */
    long endNs() {
        return endNs == Long.MIN_VALUE ? 0 : endNs;
    }

    /** Whether there is a CPU on which the events of both overlap in time, if those of the other are shifted. */
    boolean overlaps(EventLogs other, long shiftNs) {
        for (int i = 1; i < Math.min(logs.length, other.logs.length); i++) {
            if (logs[i].overlaps(other.logs[i], shiftNs)) {
                return true;
            }
        }
        return false;
    }

    /** Appends other logs. */
    void append(EventLogs part, IdRemapping numbers) {
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

package dev.unjank.trace.read.perfetto.ftrace;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.proto.FtraceFields.CompactSched;
import dev.unjank.trace.proto.PackedNumbers;
import dev.unjank.trace.proto.ProtoReader;
import dev.unjank.trace.read.common.ClockConverter;
import dev.unjank.trace.read.common.SkippedRecords;
import dev.unjank.trace.read.common.UnreadableRecords;
import java.util.Arrays;

/**
 * Imports compact scheduler events: for each kind of event a few columns of packed numbers, with delta-encoded times
 * and names as indexes into a table of the same message. Switches and wakings are each in time order; they are
 * emitted {@linkplain #emitUntil step by step}, so that a bundle's events reach the builder in one order.
 */
final class CompactSchedImporter {
    private static final int IN_INTERRUPT = 0x08 | 0x10;
    private static final long NO_MORE = Long.MAX_VALUE;

    private final TraceBuilder builder;
    private final SkippedRecords skipped;
    private final PackedNumbers[] columns = new PackedNumbers[CompactSched.WAKING_COMMON_FLAGS + 1];
    private final PackedNumbers switchTimes;
    private final PackedNumbers switchStates;
    private final PackedNumbers switchPids;
    private final PackedNumbers switchPriorities;
    private final PackedNumbers switchNames;
    private final PackedNumbers wakingTimes;
    private final PackedNumbers wakingPids;
    private final PackedNumbers wakingPriorities;
    private final PackedNumbers wakingFlags;

    private int[] names = new int[64];
    private int nameCount;
    private int cpu;
    private ClockConverter.Converter clock = ClockConverter.Converter.NONE;

    // The next event of each kind: its row, the number of rows, its time on its own clock and on the trace's.
    private int switchAt;
    private int switches;
    private long switchRaw;
    private long nextSwitch = NO_MORE;
    private int wakingAt;
    private int wakings;
    private long wakingRaw;
    private long nextWaking = NO_MORE;
    /** The time of the last emitted event; {@link Long#MIN_VALUE} if there was none. */
    long lastNs;

    CompactSchedImporter(TraceBuilder builder, SkippedRecords skipped) {
        this.builder = builder;
        this.skipped = skipped;
        for (int i = 0; i < columns.length; i++) {
            columns[i] = new PackedNumbers();
        }
        switchTimes = columns[CompactSched.SWITCH_TIMESTAMP];
        switchStates = columns[CompactSched.SWITCH_PREV_STATE];
        switchPids = columns[CompactSched.SWITCH_NEXT_PID];
        switchPriorities = columns[CompactSched.SWITCH_NEXT_PRIO];
        switchNames = columns[CompactSched.SWITCH_NEXT_COMM_INDEX];
        wakingTimes = columns[CompactSched.WAKING_TIMESTAMP];
        wakingPids = columns[CompactSched.WAKING_PID];
        wakingPriorities = columns[CompactSched.WAKING_PRIO];
        wakingFlags = columns[CompactSched.WAKING_COMMON_FLAGS];
    }

    /** Starts a message, without emitting events. */
    void begin(ProtoReader message, int onCpu, ClockConverter.Converter ofClock) {
        cpu = onCpu;
        clock = ofClock;
        nameCount = 0;
        lastNs = Long.MIN_VALUE;
        for (PackedNumbers column : columns) {
            column.clear();
        }
        while (message.next()) {
            int field = message.field();
            if (field == CompactSched.INTERN_TABLE) {
                if (nameCount == names.length) {
                    names = Arrays.copyOf(names, nameCount * 2);
                }
                names[nameCount++] = builder.intern(message.bytes(), message.from(), message.length());
            } else if (field < columns.length && message.isBytes()) {
                columns[field].read(message);
            }
        }
        if (message.isDamaged()) {
            damaged();
        }
        switches = sameSize(switchTimes, switchStates, switchPids, switchPriorities, switchNames);
        switchAt = -1;
        switchRaw = 0;
        nextSwitch();
        wakings = sameSize(wakingTimes, wakingPids, wakingPriorities);
        wakingAt = -1;
        wakingRaw = 0;
        nextWaking();
    }

    /** The number of rows that all columns have; they should be equally long. */
    private int sameSize(PackedNumbers... ofOneKind) {
        int rows = ofOneKind[0].size();
        boolean same = true;
        for (PackedNumbers column : ofOneKind) {
            same &= column.size() == rows;
            rows = Math.min(rows, column.size());
        }
        if (!same) {
            damaged();
        }
        return rows;
    }

    /** The time of the next event; {@link Long#MAX_VALUE} if there is none. */
    long nextNs() {
        return Math.min(nextSwitch, nextWaking);
    }

    /** Emits the events up to and including a time. At equal times, switches come first. */
    void emitUntil(long ts) {
        long until = Math.min(ts, NO_MORE - 1); // a damaged time may be NO_MORE
        while (nextSwitch <= until || nextWaking <= until) {
            if (nextSwitch <= nextWaking) {
                emitSwitch();
            } else {
                emitWaking();
            }
        }
    }

    /** Emits the remaining events. */
    void finish() {
        emitUntil(NO_MORE - 1);
    }

    private void nextSwitch() {
        while (++switchAt < switches) {
            switchRaw += switchTimes.get(switchAt);
            nextSwitch = clock.toTrace(switchRaw);
            if (nextSwitch != ClockConverter.UNKNOWN) {
                return;
            }
        }
        nextSwitch = NO_MORE;
    }

    private void emitSwitch() {
        lastNs = nextSwitch;
        long name = switchNames.get(switchAt);
        if (name >= 0 && name < nameCount) {
            builder.kernel()
                    .compactSwitch(
                            nextSwitch,
                            cpu,
                            switchStates.get(switchAt),
                            (int) switchPids.get(switchAt),
                            names[(int) name],
                            (int) switchPriorities.get(switchAt));
        } else {
            damaged();
        }
        nextSwitch();
    }

    private void nextWaking() {
        while (++wakingAt < wakings) {
            wakingRaw += wakingTimes.get(wakingAt);
            nextWaking = clock.toTrace(wakingRaw);
            if (nextWaking != ClockConverter.UNKNOWN) {
                return;
            }
        }
        nextWaking = NO_MORE;
    }

    private void emitWaking() {
        lastNs = nextWaking;
        int pid = (int) wakingPids.get(wakingAt);
        int priority = (int) wakingPriorities.get(wakingAt);
        long flags = wakingAt < wakingFlags.size() ? wakingFlags.get(wakingAt) : 0;
        if ((flags & IN_INTERRUPT) != 0) {
            builder.kernel().wakingFromInterrupt(nextWaking, cpu, -1, pid, priority);
        } else {
            builder.kernel().waking(nextWaking, cpu, -1, pid, priority);
        }
        nextWaking();
    }

    private void damaged() {
        skipped.omit(UnreadableRecords.Kind.COMPACT_SCHED);
    }
}

package dev.unjank.trace.read;

import dev.unjank.trace.TraceBuilder;
import dev.unjank.trace.proto.Fields.CompactSched;
import dev.unjank.trace.proto.PackedVarints;
import dev.unjank.trace.proto.ProtoReader;
import java.util.Arrays;

/**
 * Reads the compact form of scheduler events: for each kind of event a few columns of packed numbers, walked in step; times
 * are distances from the one before; names are indexes into a table of the same message. Switches and wakings are each in
 * order of time; they are given out {@linkplain #emitUntil step by step}, so that a bundle's events reach the builder in one
 * order.
 */
final class CompactSchedImporter {
    private static final int IN_INTERRUPT = 0x08 | 0x10;
    private static final long NO_MORE = Long.MAX_VALUE;

    private final TraceBuilder builder;
    private final Skipped skipped;
    private final PackedVarints[] columns = new PackedVarints[CompactSched.WAKING_COMMON_FLAGS + 1];
    private final PackedVarints switchTimes;
    private final PackedVarints switchStates;
    private final PackedVarints switchPids;
    private final PackedVarints switchPriorities;
    private final PackedVarints switchNames;
    private final PackedVarints wakingTimes;
    private final PackedVarints wakingPids;
    private final PackedVarints wakingPriorities;
    private final PackedVarints wakingFlags;

    private int[] names = new int[64];
    private int nameCount;
    private int cpu;
    private ClockSync.Converter clock = ClockSync.Converter.NONE;

    // The next event of each kind, on its own clock and on the trace's.
    private long switchRaw;
    private long nextSwitch = NO_MORE;
    private long wakingRaw;
    private long nextWaking = NO_MORE;

    CompactSchedImporter(TraceBuilder builder, Skipped skipped) {
        this.builder = builder;
        this.skipped = skipped;
        for (int i = 0; i < columns.length; i++) {
            columns[i] = new PackedVarints();
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

    /** Takes a message, and gives nothing out yet. */
    void begin(ProtoReader message, int onCpu, ClockSync.Converter ofClock) {
        cpu = onCpu;
        clock = ofClock;
        nameCount = 0;
        for (PackedVarints column : columns) {
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
                columns[field].resetToField(message);
            }
        }
        if (message.isDamaged()) {
            damaged();
        }
        switchRaw = 0;
        wakingRaw = 0;
        nextSwitch();
        nextWaking();
    }

    /** Gives out what happened until a moment, that included. Of equal times, switches come first. */
    void emitUntil(long ts) {
        while (nextSwitch <= ts || nextWaking <= ts) {
            if (nextSwitch <= nextWaking) {
                emitSwitch();
            } else {
                emitWaking();
            }
        }
    }

    /** Gives out the rest. */
    void finish() {
        emitUntil(NO_MORE - 1);
    }

    private void nextSwitch() {
        while (switchTimes.hasNext()
                && switchStates.hasNext()
                && switchPids.hasNext()
                && switchPriorities.hasNext()
                && switchNames.hasNext()) {
            switchRaw += switchTimes.next();
            nextSwitch = clock.toTrace(switchRaw);
            if (nextSwitch != ClockSync.UNKNOWN) {
                return;
            }
            skipSwitch();
        }
        if (switchTimes.hasNext()
                || switchStates.hasNext()
                || switchPids.hasNext()
                || switchPriorities.hasNext()
                || switchNames.hasNext()) {
            damaged();
        }
        nextSwitch = NO_MORE;
    }

    private void skipSwitch() {
        switchStates.next();
        switchPids.next();
        switchPriorities.next();
        switchNames.next();
    }

    private void emitSwitch() {
        long state = switchStates.next();
        int pid = (int) switchPids.next();
        int priority = (int) switchPriorities.next();
        long name = switchNames.next();
        if (name >= 0 && name < nameCount) {
            builder.compactSwitch(nextSwitch, cpu, state, pid, names[(int) name], priority);
        } else {
            damaged();
        }
        nextSwitch();
    }

    private void nextWaking() {
        while (wakingTimes.hasNext() && wakingPids.hasNext() && wakingPriorities.hasNext()) {
            wakingRaw += wakingTimes.next();
            nextWaking = clock.toTrace(wakingRaw);
            if (nextWaking != ClockSync.UNKNOWN) {
                return;
            }
            wakingPids.next();
            wakingPriorities.next();
            wakingFlags.next();
        }
        if (wakingTimes.hasNext() || wakingPids.hasNext() || wakingPriorities.hasNext()) {
            damaged();
        }
        nextWaking = NO_MORE;
    }

    private void emitWaking() {
        int pid = (int) wakingPids.next();
        int priority = (int) wakingPriorities.next();
        if ((wakingFlags.next() & IN_INTERRUPT) != 0) {
            builder.wakingFromInterrupt(nextWaking, cpu, -1, pid, priority);
        } else {
            builder.waking(nextWaking, cpu, -1, pid, priority);
        }
        nextWaking();
    }

    private void damaged() {
        skipped.problem("damaged compact scheduler data");
    }
}

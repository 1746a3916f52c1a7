package dev.unjank.trace.read;

import dev.unjank.trace.TraceBuilder;
import dev.unjank.trace.proto.Fields.CompactSched;
import dev.unjank.trace.proto.PackedVarints;
import dev.unjank.trace.proto.ProtoReader;
import java.util.Arrays;

/**
 * Reads the compact form of scheduler events: for each kind of event a few columns of packed numbers, walked in step; times
 * are distances from the one before; names are indexes into a table of the same message.
 */
final class CompactSchedImporter {
    private static final int IN_INTERRUPT = 0x08 | 0x10;

    private final TraceBuilder builder;
    private final Skipped skipped;
    private final ProtoReader message = new ProtoReader();
    private final PackedVarints[] columns = new PackedVarints[CompactSched.WAKING_COMMON_FLAGS + 1];
    private int[] comms = new int[64];

    CompactSchedImporter(TraceBuilder builder, Skipped skipped) {
        this.builder = builder;
        this.skipped = skipped;
        for (int i = 0; i < columns.length; i++) {
            columns[i] = new PackedVarints();
        }
    }

    /** Takes the message in a bundle's current field. */
    void read(ProtoReader bundle, int cpu, FtraceClock clock) {
        for (PackedVarints column : columns) {
            column.clear();
        }
        int commCount = 0;
        message.resetToField(bundle);
        while (message.next()) {
            int field = message.field();
            if (field == CompactSched.INTERN_TABLE) {
                if (commCount == comms.length) {
                    comms = Arrays.copyOf(comms, commCount * 2);
                }
                comms[commCount++] = builder.intern(message.bytes(), message.from(), message.length());
            } else if (field < columns.length && message.isBytes()) {
                columns[field].resetToField(message);
            }
        }
        boolean switchesWhole = switches(cpu, clock, commCount);
        boolean wakingsWhole = wakings(cpu, clock);
        if (!switchesWhole || !wakingsWhole || message.isDamaged()) {
            skipped.problem("damaged compact scheduler data");
        }
    }

    private boolean switches(int cpu, FtraceClock clock, int commCount) {
        PackedVarints times = columns[CompactSched.SWITCH_TIMESTAMP];
        PackedVarints states = columns[CompactSched.SWITCH_PREV_STATE];
        PackedVarints pids = columns[CompactSched.SWITCH_NEXT_PID];
        PackedVarints priorities = columns[CompactSched.SWITCH_NEXT_PRIO];
        PackedVarints names = columns[CompactSched.SWITCH_NEXT_COMM_INDEX];
        long time = 0;
        while (times.hasNext() && states.hasNext() && pids.hasNext() && priorities.hasNext() && names.hasNext()) {
            time += times.next();
            long name = names.next();
            if (name < 0 || name >= commCount) {
                return false;
            }
            long ts = clock.toTrace(time);
            if (ts != ClockSync.UNKNOWN) {
                builder.compactSwitch(
                        ts, cpu, states.next(), (int) pids.next(), comms[(int) name], (int) priorities.next());
            }
        }
        return !(times.hasNext() || states.hasNext() || pids.hasNext() || priorities.hasNext() || names.hasNext());
    }

    private boolean wakings(int cpu, FtraceClock clock) {
        PackedVarints times = columns[CompactSched.WAKING_TIMESTAMP];
        PackedVarints pids = columns[CompactSched.WAKING_PID];
        PackedVarints priorities = columns[CompactSched.WAKING_PRIO];
        PackedVarints flags = columns[CompactSched.WAKING_COMMON_FLAGS];
        long time = 0;
        while (times.hasNext() && pids.hasNext() && priorities.hasNext()) {
            time += times.next();
            int pid = (int) pids.next();
            int priority = (int) priorities.next();
            boolean inInterrupt = flags.hasNext() && (flags.next() & IN_INTERRUPT) != 0;
            long ts = clock.toTrace(time);
            if (ts == ClockSync.UNKNOWN) {
                continue;
            }
            if (inInterrupt) {
                builder.wakingFromInterrupt(ts, cpu, -1, pid, priority);
            } else {
                builder.waking(ts, cpu, -1, pid, priority);
            }
        }
        return !(times.hasNext() || pids.hasNext() || priorities.hasNext());
    }
}

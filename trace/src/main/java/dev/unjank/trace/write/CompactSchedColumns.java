package dev.unjank.trace.write;

import dev.unjank.trace.proto.FtraceFields.CompactSched;
import dev.unjank.trace.proto.ProtoWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The compact form of a bundle's sched_switch and sched_waking events: a packed column per field, names as indexes
 * into a table, times as differences (the first from zero).
 */
final class CompactSchedColumns {
    private final ProtoWriter switchTimestamp = new ProtoWriter();
    private final ProtoWriter switchPrevState = new ProtoWriter();
    private final ProtoWriter switchNextPid = new ProtoWriter();
    private final ProtoWriter switchNextPrio = new ProtoWriter();
    private final ProtoWriter switchNextComm = new ProtoWriter();
    private final ProtoWriter wakingTimestamp = new ProtoWriter();
    private final ProtoWriter wakingPid = new ProtoWriter();
    private final ProtoWriter wakingTargetCpu = new ProtoWriter();
    private final ProtoWriter wakingPrio = new ProtoWriter();
    private final ProtoWriter wakingComm = new ProtoWriter();
    private final ProtoWriter wakingCommonFlags = new ProtoWriter();
    private final List<ProtoWriter> columns = List.of(
            switchTimestamp,
            switchPrevState,
            switchNextPid,
            switchNextPrio,
            switchNextComm,
            wakingTimestamp,
            wakingPid,
            wakingTargetCpu,
            wakingPrio,
            wakingComm,
            wakingCommonFlags);

    private final Map<String, Integer> commIndex = new HashMap<>();
    private final List<String> comms = new ArrayList<>();
    private long lastSwitch;
    private long lastWaking;

    void schedSwitch(long ts, long prevState, Task next) {
        switchTimestamp.rawVarint(ts - lastSwitch);
        switchPrevState.rawVarint(prevState);
        switchNextPid.rawVarint(next.tid());
        switchNextPrio.rawVarint(next.priority());
        switchNextComm.rawVarint(intern(next.comm()));
        lastSwitch = ts;
    }

    void schedWaking(long ts, Task woken, int targetCpu, int commonFlags) {
        wakingTimestamp.rawVarint(ts - lastWaking);
        wakingPid.rawVarint(woken.tid());
        wakingTargetCpu.rawVarint(targetCpu);
        wakingPrio.rawVarint(woken.priority());
        wakingComm.rawVarint(intern(woken.comm()));
        wakingCommonFlags.rawVarint(commonFlags);
        lastWaking = ts;
    }

    int size() {
        int size = 0;
        for (ProtoWriter column : columns) {
            size += column.size();
        }
        return size;
    }

    /** Writes the columns as the field of a bundle, unless they are empty, and clears them. */
    void flush(int field, ProtoWriter bundle) {
        if (comms.isEmpty()) {
            return;
        }
        int message = bundle.begin(field);
        comms.forEach(comm -> bundle.string(CompactSched.INTERN_TABLE, comm));
        if (switchTimestamp.size() > 0) {
            bundle.message(CompactSched.SWITCH_TIMESTAMP, switchTimestamp);
            bundle.message(CompactSched.SWITCH_PREV_STATE, switchPrevState);
            bundle.message(CompactSched.SWITCH_NEXT_PID, switchNextPid);
            bundle.message(CompactSched.SWITCH_NEXT_PRIO, switchNextPrio);
            bundle.message(CompactSched.SWITCH_NEXT_COMM_INDEX, switchNextComm);
        }
        if (wakingTimestamp.size() > 0) {
            bundle.message(CompactSched.WAKING_TIMESTAMP, wakingTimestamp);
            bundle.message(CompactSched.WAKING_PID, wakingPid);
            bundle.message(CompactSched.WAKING_TARGET_CPU, wakingTargetCpu);
            bundle.message(CompactSched.WAKING_PRIO, wakingPrio);
            bundle.message(CompactSched.WAKING_COMM_INDEX, wakingComm);
            bundle.message(CompactSched.WAKING_COMMON_FLAGS, wakingCommonFlags);
        }
        bundle.end(message);

        columns.forEach(ProtoWriter::clear);
        commIndex.clear();
        comms.clear();
        lastSwitch = 0;
        lastWaking = 0;
    }

    private int intern(String comm) {
        Integer known = commIndex.putIfAbsent(comm, comms.size());
        if (known != null) {
            return known;
        }
        comms.add(comm);
        return comms.size() - 1;
    }
}

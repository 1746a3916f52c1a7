package dev.unjank.doctor.find.message;

import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.ThreadStates;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds calls that poll: a service's thread makes them to get the next event, and the reply comes when there is one.
 * The thread is idle meanwhile. A call polls by its name, such as {@code HIDL::ISensors::poll::client}, or by what the
 * threads do: the calling thread is nearly always in this call, and the server thread sleeps in it nearly all the time.
 * A thread that makes one slow call after another differs from it: its server thread runs, or is in uninterruptible
 * sleep.
 */
final class PollingThreads {
    /** Methods of Android's interfaces that wait for the next event. */
    private static final Set<String> METHODS = Set.of("poll", "getNextEvent", "waitForEvent");

    /** Fewer calls may be slow ones. */
    private static final int MIN_CALLS = 5;

    private static final double MIN_SHARE = 0.9;

    private final Slices slices;
    private final ThreadStates states;

    PollingThreads(Slices slices, ThreadStates states) {
        this.slices = slices;
        this.states = states;
    }

    /**
     * A call.
     *
     * @param row the slice of the call
     * @param name the interface and method, or a general name
     * @param reply the slice of the server thread, -1 if unknown
     */
    record Call(int row, String name, int reply) {}

    /** {@return those calls of a thread that poll} */
    List<Call> polls(List<Call> calls) {
        Map<String, List<Call>> byName = new HashMap<>();
        calls.forEach(call ->
                byName.computeIfAbsent(call.name, _ -> new ArrayList<>()).add(call));
        Set<String> polls = new HashSet<>();
        byName.forEach((name, same) -> {
            if (isPollMethod(name) || isNearlyAlwaysIn(same, calls)) {
                polls.add(name);
            }
        });
        return polls.isEmpty()
                ? List.of()
                : calls.stream().filter(call -> polls.contains(call.name)).toList();
    }

    static boolean isPollMethod(String name) {
        for (String part : name.split("::", -1)) {
            if (METHODS.contains(part)) {
                return true;
            }
        }
        return false;
    }

    private boolean isNearlyAlwaysIn(List<Call> same, List<Call> all) {
        if (same.size() < MIN_CALLS) {
            return false;
        }
        long spanNs = slices.endNs(all.getLast().row) - slices.ts(all.getFirst().row);
        long callsNs = 0;
        long asleepNs = 0;
        for (Call call : same) {
            callsNs += slices.dur(call.row);
            asleepNs += call.reply < 0 ? 0 : asleepNs(call);
        }
        return callsNs >= spanNs * MIN_SHARE && asleepNs >= callsNs * MIN_SHARE;
    }

    /** The time that the server thread slept in a call, uninterruptible sleep excluded. */
    private long asleepNs(Call call) {
        int utid = slices.utid(call.reply);
        long from = slices.ts(call.row);
        long to = slices.endNs(call.row);
        long sum = 0;
        for (int row = Math.max(states.at(utid, from), states.first(utid));
                row < states.end(utid) && states.ts(row) < to;
                row++) {
            if (states.state(row) == SchedState.SLEEPING) {
                sum += Math.max(0, Math.min(to, states.endNs(row)) - Math.max(from, states.ts(row)));
            }
        }
        return sum;
    }
}

package dev.unjank.doctor.find.runtime;

import dev.unjank.doctor.find.runtime.RuntimeWaitTable.Entry;
import dev.unjank.trace.collections.BinarySearch;
import dev.unjank.trace.model.StackSamples;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Infers the thread whose work ended a wait, where neither a notifier nor a waker is recorded: the only thread of the
 * process that became idle at that moment, otherwise the only one that was sampled running just before. Of several none
 * is chosen.
 */
final class ResultProducers {
    /** A thread that completes a result and has no other work waits for work within this time. */
    private static final long IDLE_AFTER_NS = 500_000;

    /** A thread that was sampled running at most this long before the end may have completed the result. */
    private static final long SAMPLED_BEFORE_NS = 50_000_000;

    private static final int NONE = -1;

    private final Threads threads;
    private final StackSamples samples;
    private final BitSet excluded;
    private final Map<Integer, List<Entry>> idleByProcess = new HashMap<>();
    private final Map<Integer, List<Integer>> sampledByProcess = new HashMap<>();

    /** Reads a trace; {@code excluded} threads, such as a virtual machine's own, complete no results. */
    ResultProducers(Trace trace, RuntimeWaitTable table, BitSet excluded) {
        threads = trace.threads();
        samples = trace.samples();
        this.excluded = excluded;
        for (int utid : table.threads()) {
            List<Entry> idle = table.of(utid).stream()
                    .filter(entry -> entry.meaning().isIdle())
                    .toList();
            idleByProcess
                    .computeIfAbsent(threads.upid(utid), upid -> new ArrayList<>())
                    .addAll(idle);
        }
        idleByProcess.values().forEach(idle -> idle.sort(Comparator.comparingLong(Entry::startNs)));
        for (int utid = 1; utid < threads.size(); utid++) {
            if (samples.first(utid) < samples.end(utid)) {
                sampledByProcess
                        .computeIfAbsent(threads.upid(utid), upid -> new ArrayList<>())
                        .add(utid);
            }
        }
    }

    /** {@return the utid of the thread that ended a wait, -1 if unknown} */
    int of(Entry wait) {
        int upid = threads.upid(wait.utid());
        int idle = becameIdle(upid, wait);
        return idle != NONE ? idle : ran(upid, wait);
    }

    private int becameIdle(int upid, Entry wait) {
        List<Entry> idle = idleByProcess.getOrDefault(upid, List.of());
        int found = NONE;
        int first = BinarySearch.first(0, idle.size(), i -> idle.get(i).startNs() >= wait.endNs() - IDLE_AFTER_NS);
        for (int i = first; i < idle.size() && idle.get(i).startNs() <= wait.endNs() + IDLE_AFTER_NS; i++) {
            int utid = idle.get(i).utid();
            if (utid != wait.utid() && !excluded.get(utid)) {
                if (found != NONE && found != utid) {
                    return NONE;
                }
                found = utid;
            }
        }
        return found;
    }

    private int ran(int upid, Entry wait) {
        long from = Math.max(wait.startNs(), wait.endNs() - SAMPLED_BEFORE_NS);
        int found = NONE;
        for (int utid : sampledByProcess.getOrDefault(upid, List.of())) {
            if (utid == wait.utid() || excluded.get(utid) || !isSampledRunning(utid, from, wait.endNs())) {
                continue;
            }
            if (found != NONE) {
                return NONE;
            }
            found = utid;
        }
        return found;
    }

    private boolean isSampledRunning(int utid, long from, long to) {
        for (int row = samples.from(utid, from); row < samples.end(utid) && samples.ts(row) < to; row++) {
            if (samples.isRunning(row)) {
                return true;
            }
        }
        return false;
    }
}

package dev.unjank.doctor;

import dev.unjank.trace.SchedState;
import dev.unjank.trace.StateSearch;
import dev.unjank.trace.ThreadStates;
import dev.unjank.trace.Threads;
import dev.unjank.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds when a process was stopped as a whole from outside, as the scheduler tells it: by a signal (SIGSTOP, Ctrl-Z) or by a debugger.
 * A thread that sleeps in the kernel and is deaf to signals stops later than the others, so a halt lasts from when the last thread
 * had stopped until the first went on. A freezer of control groups is not seen: the kernel shows its threads as asleep. Any thread may
 * ask.
 */
final class Halts {
    static final String BY_SIGNAL = "a signal (SIGSTOP, or Ctrl-Z in a shell)";
    static final String BY_DEBUGGER = "a debugger, or another tool that traces it";

    private static final int HALTED = StateSearch.setOf(SchedState.STOPPED, SchedState.TRACED);

    /** Who is dead, or of whom nothing is known, does not speak against it. */
    private static final int GOING = ~StateSearch.setOf(
            SchedState.STOPPED, SchedState.TRACED, SchedState.DEAD, SchedState.ZOMBIE, SchedState.UNKNOWN);

    private final Threads threads;
    private final ThreadStates states;
    private final Trace trace;
    private final Known known;
    private final Map<Integer, List<Stop>> byProcess = new ConcurrentHashMap<>();

    Halts(Trace trace, Known known) {
        this.trace = trace;
        this.threads = trace.threads();
        this.states = trace.threadStates();
        this.known = known;
    }

    /** {@return the halts of a process of at least the least time that counts, in order of time} */
    List<Stop> of(int upid) {
        return byProcess.computeIfAbsent(upid, this::find);
    }

    private List<Stop> find(int upid) {
        int main = trace.processes().mainThread(upid);
        List<Stop> halts = main < 0 ? List.of() : ofThread(upid, main);
        for (int utid = 1; !halts.isEmpty() && utid < threads.size(); utid++) {
            if (utid != main && threads.upid(utid) == upid) {
                halts = without(halts, utid);
            }
        }
        return halts;
    }

    private List<Stop> ofThread(int upid, int utid) {
        List<Stop> halts = new ArrayList<>();
        int end = states.end(utid);
        StateSearch search = new StateSearch(states);
        for (int row = search.next(states.first(utid), end, HALTED);
                row < end;
                row = search.next(row + 1, end, HALTED)) {
            String by = states.state(row) == SchedState.STOPPED ? BY_SIGNAL : BY_DEBUGGER;
            add(upid, by, states.ts(row), known.endNs(row), known.isUnfinished(row), halts);
        }
        return halts;
    }

    /** What is left of halts where another thread of the process did not go on. */
    private List<Stop> without(List<Stop> halts, int utid) {
        List<Stop> left = new ArrayList<>();
        StateSearch search = new StateSearch(states);
        for (Stop halt : halts) {
            long at = halt.startNs();
            int end = states.end(utid);
            for (int row = search.next(Math.max(states.at(utid, at), states.first(utid)), end, GOING);
                    row < end && states.ts(row) < halt.endNs();
                    row = search.next(row + 1, end, GOING)) {
                add(halt.upid(), halt.what(), at, states.ts(row), false, left);
                at = Math.max(at, states.endNs(row)); // the rows of one that has gone are all over before
            }
            add(halt.upid(), halt.what(), at, halt.endNs(), halt.unfinished(), left);
        }
        return left;
    }

    private static void add(int upid, String by, long from, long to, boolean unfinished, List<Stop> halts) {
        if (to - from >= Rules.LEAST_WAIT_NS) {
            List<Span> span = List.of(new Span(from, to, OwnerState.STOPPED, null));
            halts.add(new Stop(upid, WaitKind.STOP, by, null, unfinished, span));
        }
    }
}

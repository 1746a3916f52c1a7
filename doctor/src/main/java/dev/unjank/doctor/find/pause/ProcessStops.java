package dev.unjank.doctor.find.pause;

import dev.unjank.doctor.find.activity.ActivityInterval;
import dev.unjank.doctor.find.coverage.TraceCoverage;
import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.ThreadStateSearch;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
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
public final class ProcessStops {
    static final String BY_SIGNAL = "a signal (SIGSTOP, or Ctrl-Z in a shell)";
    static final String BY_DEBUGGER = "a debugger, or another tool that traces it";

    private static final int HALTED = ThreadStateSearch.setOf(SchedState.STOPPED, SchedState.TRACED);

    /** Who is dead, or of whom nothing is known, does not speak against it. */
    private static final int GOING = ~ThreadStateSearch.setOf(
            SchedState.STOPPED, SchedState.TRACED, SchedState.DEAD, SchedState.ZOMBIE, SchedState.UNKNOWN);

    private final Threads threads;
    private final ThreadStates states;
    private final Trace trace;
    private final TraceCoverage known;
    private final Map<Integer, List<Pause>> byProcess = new ConcurrentHashMap<>();

    public ProcessStops(Trace trace, TraceCoverage known) {
        this.trace = trace;
        this.threads = trace.threads();
        this.states = trace.threadStates();
        this.known = known;
    }

    /** {@return the halts of a process of at least the least time that counts, in order of time} */
    List<Pause> of(int upid) {
        return byProcess.computeIfAbsent(upid, this::find);
    }

    private List<Pause> find(int upid) {
        int main = trace.processes().mainThread(upid);
        List<Pause> stops = main < 0 ? List.of() : ofThread(upid, main);
        for (int utid = 1; !stops.isEmpty() && utid < threads.size(); utid++) {
            if (utid != main && threads.upid(utid) == upid) {
                stops = without(stops, utid);
            }
        }
        return stops;
    }

    private List<Pause> ofThread(int upid, int utid) {
        List<Pause> stops = new ArrayList<>();
        int end = states.end(utid);
        ThreadStateSearch search = new ThreadStateSearch(states);
        for (int row = search.next(states.first(utid), end, HALTED);
                row < end;
                row = search.next(row + 1, end, HALTED)) {
            String by = states.state(row) == SchedState.STOPPED ? BY_SIGNAL : BY_DEBUGGER;
            add(upid, by, states.ts(row), known.endNs(row), known.isUnfinished(row), stops);
        }
        return stops;
    }

    /** What is left of halts where another thread of the process did not go on. */
    private List<Pause> without(List<Pause> stops, int utid) {
        List<Pause> left = new ArrayList<>();
        ThreadStateSearch search = new ThreadStateSearch(states);
        for (Pause stop : stops) {
            long at = stop.startNs();
            int end = states.end(utid);
            for (int row = search.next(Math.max(states.at(utid, at), states.first(utid)), end, GOING);
                    row < end && states.ts(row) < stop.endNs();
                    row = search.next(row + 1, end, GOING)) {
                add(stop.upid(), stop.what(), at, states.ts(row), false, left);
                at = Math.max(at, states.endNs(row)); // the rows of one that has gone are all over before
            }
            add(stop.upid(), stop.what(), at, stop.endNs(), stop.unfinished(), left);
        }
        return left;
    }

    private static void add(int upid, String by, long from, long to, boolean unfinished, List<Pause> stops) {
        if (to - from >= WaitSource.MIN_WAIT_NS) {
            List<ActivityInterval> span = List.of(new ActivityInterval(from, to, OwnerState.STOPPED, null));
            stops.add(new Pause(upid, WaitKind.STOP, by, null, unfinished, span));
        }
    }
}

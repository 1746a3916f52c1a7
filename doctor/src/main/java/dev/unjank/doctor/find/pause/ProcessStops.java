package dev.unjank.doctor.find.pause;

import dev.unjank.doctor.find.activity.ActivityInterval;
import dev.unjank.doctor.find.coverage.TraceCoverage;
import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.doctor.model.GenericTerm;
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
 * Finds the stops of processes from outside, by a signal (SIGSTOP, Ctrl-Z) or a debugger, by the scheduler's events. A
 * thread in uninterruptible sleep stops later than the others, so a stop lasts from the stop of the last thread until
 * the first continues. A freezer of control groups is invisible: the kernel reports its threads as sleeping.
 * Thread-safe.
 */
public final class ProcessStops {
    private static final int STOPPED = ThreadStateSearch.setOf(SchedState.STOPPED, SchedState.TRACED);

    /** States of a thread in a process that is not stopped. */
    private static final int NOT_STOPPED = ~ThreadStateSearch.setOf(
            SchedState.STOPPED, SchedState.TRACED, SchedState.DEAD, SchedState.ZOMBIE, SchedState.UNKNOWN);

    private final Threads threads;
    private final ThreadStates states;
    private final Trace trace;
    private final TraceCoverage coverage;
    private final Map<Integer, List<Pause>> byProcess = new ConcurrentHashMap<>();

    public ProcessStops(Trace trace, TraceCoverage coverage) {
        this.trace = trace;
        this.threads = trace.threads();
        this.states = trace.threadStates();
        this.coverage = coverage;
    }

    /** {@return the stops of a process of at least {@link WaitSource#MIN_WAIT_NS}, by time} */
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
        for (int row = search.next(states.first(utid), end, STOPPED);
                row < end;
                row = search.next(row + 1, end, STOPPED)) {
            GenericTerm by = states.state(row) == SchedState.STOPPED ? GenericTerm.SIGNAL : GenericTerm.DEBUGGER;
            add(upid, by.text(), states.ts(row), coverage.endNs(row), coverage.isUnfinished(row), stops);
        }
        return stops;
    }

    /** The parts of stops in which another thread was stopped as well. */
    private List<Pause> without(List<Pause> stops, int utid) {
        List<Pause> left = new ArrayList<>();
        ThreadStateSearch search = new ThreadStateSearch(states);
        for (Pause stop : stops) {
            long at = stop.startNs();
            int end = states.end(utid);
            for (int row = search.next(Math.max(states.at(utid, at), states.first(utid)), end, NOT_STOPPED);
                    row < end && states.ts(row) < stop.endNs();
                    row = search.next(row + 1, end, NOT_STOPPED)) {
                add(stop.upid(), stop.operation(), at, states.ts(row), false, left);
                at = Math.max(at, states.endNs(row)); // the rows of a thread that has exited all end before
            }
            add(stop.upid(), stop.operation(), at, stop.endNs(), stop.unfinished(), left);
        }
        return left;
    }

    private static void add(int upid, String by, long from, long to, boolean unfinished, List<Pause> stops) {
        if (to - from >= WaitSource.MIN_WAIT_NS) {
            List<ActivityInterval> interval = List.of(new ActivityInterval(from, to, OwnerState.STOPPED, null));
            stops.add(new Pause(upid, WaitKind.STOP, by, null, unfinished, interval));
        }
    }
}

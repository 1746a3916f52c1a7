package dev.unjank.doctor.judge;

import dev.unjank.doctor.find.coverage.TraceCoverage;
import dev.unjank.doctor.find.thread.JvmThreads;
import dev.unjank.doctor.find.thread.ThreadSelection;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.doctor.model.BlockedTime;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.Severity;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.concurrent.TaskQueue;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;

/**
 * Collects incidents: those that the options select, which are shown, and those that count for the trace as a whole or,
 * if a process is selected, for that process. The latter do not depend on the selected threads and lengths, and so the
 * causes of frames, the summary and the main finding do not either. Not thread-safe.
 */
public final class IncidentCollector {
    /** The number of rows from which on several threads are faster than one. */
    private static final int ROWS_WORTH_A_THREAD = 100_000;

    private static final String FLIGHT_RECORDER_PACKAGE = "jdk.jfr.";

    private final Trace trace;
    private final DoctorOptions options;
    private final ThreadSelection selection;
    private final ThreadSelection defaultSelection;
    private final IncidentBuilder incidents;
    private final BitSet eventThreads;

    /**
     * Internal threads of virtual machines. They wait for CPUs and the kernel all the time, so these waits are not
     * reported.
     */
    private final BitSet jvmThreads;

    /**
     * Threads of recorders and tools in a virtual machine. That these wait for each other or for Flight Recorder's own
     * locks, as when a recording begins, is nothing of the program's.
     */
    private final BitSet recorderThreads;

    /** The upids of processes that render frames; empty if unknown. */
    private final BitSet drawing;

    private final Executor executor;

    private final List<Incident> shown = new ArrayList<>();
    private final List<Incident> notShown = new ArrayList<>();
    private int waits;
    private long longestNs;

    public IncidentCollector(
            Trace trace,
            DoctorOptions options,
            ThreadSelection asked,
            ThreadSelection defaultSelection,
            IncidentBuilder incidents,
            BitSet drawing,
            Executor executor) {
        this.trace = trace;
        this.options = options;
        this.selection = asked;
        this.defaultSelection = defaultSelection;
        this.incidents = incidents;
        this.drawing = drawing;
        this.executor = executor;
        this.eventThreads = EventLoopThreads.of(trace);
        this.jvmThreads = JvmThreads.of(trace);
        this.recorderThreads = JvmThreads.profilerThreads(trace);
    }

    /** A wait that becomes an incident, with its scope. */
    private record Candidate(BlockedInterval interval, boolean isShown, boolean byDefault, boolean counts) {}

    /** Collects the incidents and numbers them, those that are shown first. */
    public void collect() {
        BitSet all = new BitSet();
        all.or(selection.utids());
        all.or(defaultSelection.utids());
        List<Candidate> candidates = new ArrayList<>();
        BlockedInterval[][] waitsOfThreads = new BlockedInterval[all.length()][];
        forEach(all, utid -> waitsOfThreads[utid] = incidents.waits(utid));
        for (int utid = all.nextSetBit(0); utid >= 0; utid = all.nextSetBit(utid + 1)) {
            for (BlockedInterval interval : waitsOfThreads[utid]) {
                collect(interval, candidates);
            }
        }
        Incident[] found = new Incident[candidates.size()];
        forEach(found.length, i -> found[i] = incident(candidates.get(i)));
        for (int i = 0; i < found.length; i++) {
            (candidates.get(i).isShown ? shown : notShown).add(found[i]);
        }
        collectPauses();
        number(shown, 1);
        number(notShown, shown.size() + 1);
    }

    private void forEach(BitSet utids, IntConsumer action) {
        int[] each = utids.stream().toArray();
        forEach(each.length, i -> action.accept(each[i]));
    }

    /** Calls an action for each number below a count, in parallel if the trace is large. */
    private void forEach(int count, IntConsumer action) {
        boolean isLarge = trace.threadStates().size() + trace.slices().size() > ROWS_WORTH_A_THREAD;
        TaskQueue.forEach(isLarge ? executor : Runnable::run, count, action);
    }

    private Incident incident(Candidate candidate) {
        Incident incident = incidents.of(candidate.interval);
        return IncidentBuilder.withScope(
                IncidentBuilder.withSeverity(incident, severity(incident)), candidate.byDefault, candidate.counts);
    }

    private void number(List<Incident> found, int first) {
        found.sort(order());
        for (int i = 0; i < found.size(); i++) {
            found.set(i, IncidentBuilder.withId(found.get(i), first + i));
        }
    }

    private void collect(BlockedInterval interval, List<Candidate> candidates) {
        int utid = interval.utid();
        if (isOfRecorder(interval)) {
            return;
        }
        boolean matters = isRelevant(interval);
        boolean byDefault = defaultSelection.isSelectedByDefault(utid)
                && matters
                && (incidents.canBlockOtherThreads(interval) || belongsToDrawingProcess(utid));
        boolean isAskedFor = selection.utids().get(utid)
                && (options.isThreadNamed() || options.isAllThreads() || (selection.isDefault() ? byDefault : matters));
        boolean counts = defaultSelection.utids().get(utid)
                && (defaultSelection.isDefault() ? byDefault : matters)
                && isLongEnough(interval, DoctorOptions.defaults());
        count(isAskedFor, interval.durNs());
        boolean isShown = isAskedFor && isLongEnough(interval, options);
        if (isShown || counts) {
            candidates.add(new Candidate(interval, isShown, byDefault, counts));
        }
    }

    private boolean isRelevant(BlockedInterval interval) {
        return !jvmThreads.get(interval.utid()) || !incidents.hasNoOwner(interval);
    }

    private boolean isOfRecorder(BlockedInterval interval) {
        if (!recorderThreads.get(interval.utid())) {
            return false;
        }
        Incident incident = incidents.of(interval);
        Owner owner = incident.blocker();
        return incident.rootWait().target().startsWith(FLIGHT_RECORDER_PACKAGE)
                || (owner != null
                        && owner.thread().isInTrace()
                        && recorderThreads.get(owner.thread().utid()));
    }

    private void count(boolean isAskedFor, long ns) {
        if (isAskedFor) {
            waits++;
            longestNs = Math.max(longestNs, ns);
        }
    }

    private static boolean isLongEnough(BlockedInterval interval, DoctorOptions options) {
        return interval.durNs()
                >= Math.max(options.minDuration().toNanos(), interval.source().minNs());
    }

    /**
     * Of all the main threads of a system most belong to programs without a window, and that such a thread waits for a
     * reply or a CPU has no effect. If the trace records no frames, threads with slices count as those that draw.
     */
    private boolean belongsToDrawingProcess(int utid) {
        int upid = trace.threads().upid(utid);
        return drawing.isEmpty()
                ? trace.slices().first(utid) < trace.slices().end(utid)
                : upid >= 0 && drawing.get(upid);
    }

    private void collectPauses() {
        for (Incident stop : incidents.pauses(defaultSelection.utids(), eventThreads)) {
            boolean matters = isReportedProcess(stop.rootWait().thread().upid());
            boolean isAskedFor = options.isThreadNamed()
                    ? incidents.delays(stop.rootWait(), selection.utids())
                    : matters || options.isAllThreads();
            boolean counts = matters && isLongEnough(stop, DoctorOptions.defaults());
            boolean isShown = isAskedFor && isLongEnough(stop, options);
            count(isAskedFor, stop.rootWait().durNs());
            if (isShown || counts) {
                (isShown ? shown : notShown).add(IncidentBuilder.withScope(stop, matters, counts));
            }
        }
    }

    /**
     * Whether all waits of a process are reported: those of Java virtual machines and of processes that render frames.
     */
    private boolean isReportedProcess(int upid) {
        if (upid < 0) {
            return false;
        }
        int main = trace.processes().mainThread(upid);
        return trace.processes().isJvm(upid) || (main >= 0 && belongsToDrawingProcess(main));
    }

    private static boolean isLongEnough(Incident stop, DoctorOptions options) {
        return stop.rootWait().durNs() >= Math.max(options.minDuration().toNanos(), WaitSource.MIN_WAIT_NS);
    }

    /**
     * Worst first: deadlocks, which never end; then by severity (unless the options name threads), then by duration.
     */
    private Comparator<Incident> order() {
        Comparator<Incident> longest =
                (a, b) -> Long.compare(b.rootWait().durNs(), a.rootWait().durNs());
        Comparator<Incident> order =
                longest.thenComparingLong(incident -> incident.rootWait().startNs());
        Comparator<Incident> worst = options.isThreadNamed()
                ? order
                : Comparator.comparing(Incident::severity).thenComparing(order);
        return Comparator.comparing((Incident incident) -> incident.verdict() != Verdict.DEADLOCK)
                .thenComparing(worst);
    }

    private Severity severity(Incident incident) {
        ThreadRef thread = incident.rootWait().thread();
        if (eventThreads.get(thread.utid())) {
            return Severity.EVENT_LOOP;
        }
        boolean isStarved = incident.rootWait().kind() == WaitKind.CPU
                && thread.upid() >= 0
                && trace.processes().isJvm(thread.upid());
        return isStarved ? Severity.CPU_ONLY : Severity.NORMAL;
    }

    /** {@return the selected waits that are long enough, numbered from 1, the worst first} */
    public List<Incident> shown() {
        return shown;
    }

    /** {@return the other incidents that count for the trace as a whole; their ids follow} */
    public List<Incident> notShown() {
        return notShown;
    }

    /** {@return the blocked time of the covered threads, by kind} */
    public BlockedTime blockedTime(TraceCoverage coverage, List<Wait> pauses) {
        BlockedTimeCalculator times = new BlockedTimeCalculator(trace, coverage, incidents, pauses, loopers());
        forEach(coveredThreads(), times::add);
        return times.total();
    }

    /** The selected threads; without a selection, not the internal threads of virtual machines and recorders. */
    private BitSet coveredThreads() {
        BitSet covered = new BitSet();
        covered.or(selection.utids());
        if (!options.isThreadNamed() && !options.isAllThreads()) {
            covered.andNot(jvmThreads);
            covered.andNot(recorderThreads);
            selection.utids().stream()
                    .filter(utid -> !isReportedProcess(trace.threads().upid(utid)))
                    .forEach(covered::clear);
        }
        shown.stream()
                .map(incident -> incident.rootWait().thread())
                .filter(thread -> !thread.isAllOfProcess())
                .forEach(thread -> covered.set(thread.utid()));
        return covered;
    }

    /** Threads that run messages; outside virtual machines, all threads with slices. */
    private BitSet loopers() {
        BitSet loopers = new BitSet();
        for (int utid = 1; utid < trace.threads().size(); utid++) {
            int upid = trace.threads().upid(utid);
            boolean isInJvm = upid >= 0 && trace.processes().isJvm(upid);
            loopers.set(
                    utid,
                    isInJvm
                            ? EventLoopThreads.runsMessages(trace, utid)
                            : trace.slices().first(utid) < trace.slices().end(utid));
        }
        return loopers;
    }

    /** {@return the number of waits of all threads that are long enough, selected or not} */
    public int countOfOtherThreads() {
        BitSet all =
                new ThreadSelection(trace, options.withThread(DoctorOptions.ALL_THREADS), selection.drawing()).utids();
        LongAdder count = new LongAdder();
        forEach(
                all,
                utid -> count.add(Arrays.stream(incidents.waits(utid))
                        .filter(interval ->
                                isLongEnough(interval, options) && isRelevant(interval) && !isOfRecorder(interval))
                        .count()));
        return count.intValue();
    }

    /** {@return the number of waits of the selected threads, of any length} */
    public int waits() {
        return waits;
    }

    /** {@return the longest of these waits, ns} */
    public long longestNs() {
        return longestNs;
    }
}

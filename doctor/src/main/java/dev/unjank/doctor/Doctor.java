package dev.unjank.doctor;

import dev.unjank.trace.Trace;
import dev.unjank.trace.TraceGaps;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the times at which threads could not run although they had work, and says for each who was in the way, what that thread
 * was doing, why it took so long, and which frames it cost.
 */
public final class Doctor {
    /** In a smaller trace there is too little to find to make up for the start of a thread. */
    private static final int ROWS_WORTH_A_THREAD = 100_000;

    private final Trace trace;
    private final DoctorOptions options;
    private final ThreadSelection selection;
    private final ThreadRefs refs;
    private final Incidents incidents;
    private final TraceGaps gaps;
    private final BitSet eventThreads;

    private Doctor(Trace trace, DoctorOptions options) {
        this.trace = trace;
        this.options = options;
        this.selection = new ThreadSelection(trace, options);
        this.refs = new ThreadRefs(trace);
        this.incidents = new Incidents(trace, refs);
        this.gaps = TraceGaps.in(trace);
        this.eventThreads = EventThreads.of(trace);
    }

    /**
     * Diagnoses a trace.
     *
     * @param trace the trace
     * @param options whose waits count, and how long they must be
     * @return one incident per wait, the worst first; and what the trace lacks for more
     */
    public static Diagnosis diagnose(Trace trace, DoctorOptions options) {
        return new Doctor(trace, options).diagnose();
    }

    /**
     * Why a diagnosis would be empty: a thread or a process was asked for that the trace does not have.
     *
     * @param trace the trace
     * @param options whose waits count
     * @return one line that says so, with the names that are nearest; null if there is such a thread, or none was asked for
     */
    public static @Nullable String mistake(Trace trace, DoctorOptions options) {
        ThreadSelection selection = new ThreadSelection(trace, options);
        return selection.isDefault() || !selection.utids().isEmpty() ? null : new NameHint(trace, options).whyNone();
    }

    private Diagnosis diagnose() {
        FrameFinder frameFinder = new FrameFinder(trace);
        List<Frame> allFrames = frameFinder.find();
        List<Frame> frames = new ArrayList<>();
        for (Frame frame : allFrames) {
            if (selection.isOfInterest(frame.upid())) {
                frames.add(frame.withId(frames.size()));
            }
        }
        BitSet selected = selection.utids();
        long least = options.minDuration().toNanos();
        int count = 0;
        long longest = 0;
        List<Stall> toDiagnose = new ArrayList<>();
        BitSet byDefault = new BitSet();
        for (Stall[] waits :
                spread(selected.stream()).mapToObj(incidents::waits).toArray(Stall[][]::new)) {
            for (Stall stall : waits) {
                boolean wanted = isByDefault(stall, frameFinder.drawing());
                if (wanted || !selection.isDefault()) {
                    count++;
                    longest = Math.max(longest, stall.durNs());
                    if (stall.durNs() >= Math.max(least, stall.source().leastNs())) {
                        byDefault.set(toDiagnose.size(), wanted);
                        toDiagnose.add(stall);
                    }
                }
            }
        }
        List<Incident> found = spread(IntStream.range(0, toDiagnose.size()))
                .mapToObj(i -> incidents
                        .of(toDiagnose.get(i))
                        .byDefault(byDefault.get(i))
                        .onEventThread(eventThreads.get(toDiagnose.get(i).utid())))
                .collect(Collectors.toCollection(ArrayList::new));
        for (Incident standstill : incidents.standstills(selected, options.isThreadNamed(), eventThreads)) {
            long ns = standstill.tree().durNs();
            count++;
            longest = Math.max(longest, ns);
            if (ns >= Math.max(least, Rules.LEAST_WAIT_NS)) {
                found.add(standstill.byDefault(true));
            }
        }
        found.sort(order());
        for (int i = 0; i < found.size(); i++) {
            found.set(i, found.get(i).withId(i));
        }
        FrameLedger.Books books = new FrameLedger().book(frames, found);
        Diagnosis.Search search = new Diagnosis.Search(
                options,
                selected.cardinality(),
                count,
                longest,
                incidents.countLockWaitsWithout(selected),
                new IncidentQuery(trace, options, selection, found, incidents.standstills()).sql());
        return new Diagnosis(
                trace.name(),
                trace.startNs(),
                trace.endNs() - trace.startNs(),
                Platform.of(trace),
                search,
                found,
                books.frames(),
                books.costs(),
                new StartUpFinder(trace, refs, incidents)
                        .find(allFrames).stream()
                                .filter(selection::isOfInterest)
                                .toList(),
                new SummaryMaker(trace, incidents).of(found, frames, selection.forSummary()),
                unknowns(allFrames),
                warnings(search, found));
    }

    /** Threads, or their waits, which several processors look at if that pays. */
    private IntStream spread(IntStream numbers) {
        boolean large = trace.threadStates().size() + trace.slices().size() > ROWS_WORTH_A_THREAD;
        return large ? numbers.parallel() : numbers;
    }

    private boolean isByDefault(Stall stall, BitSet drawing) {
        return selection.isLookedAtUnasked(stall.utid())
                && (incidents.mayHoldUpOthers(stall) || draws(stall.utid(), drawing));
    }

    /**
     * Of all the main threads of a system most belong to programs that nobody looks at, and that such a one waits for a reply or
     * a CPU troubles nobody. Where the trace shows no frames, those that tell of themselves count as those that draw.
     */
    private boolean draws(int utid, BitSet drawing) {
        int upid = trace.threads().upid(utid);
        return drawing.isEmpty()
                ? trace.slices().first(utid) < trace.slices().end(utid)
                : upid >= 0 && drawing.get(upid);
    }

    /** The worst first: of the threads of a program those by which somebody outside notices it, and of these the longest. */
    private Comparator<Incident> order() {
        Comparator<Incident> longestFirst = Comparator.comparingLong(
                        (Incident incident) -> -incident.tree().durNs())
                .thenComparingLong(incident -> incident.tree().startNs());
        return options.isThreadNamed()
                ? longestFirst
                : Comparator.comparing((Incident incident) -> !incident.eventThread())
                        .thenComparing(longestFirst);
    }

    private List<String> unknowns(List<Frame> allFrames) {
        List<String> unknowns = new ArrayList<>(gaps.unknowns());
        boolean jvm = IntStream.range(0, trace.processes().size())
                .anyMatch(upid -> trace.processes().isJvm(upid));
        if (allFrames.isEmpty() && !jvm) {
            unknowns.add("which frames were late");
        }
        return unknowns;
    }

    private List<String> warnings(Diagnosis.Search search, List<Incident> found) {
        List<String> warnings = new ArrayList<>();
        if (search.threads() == 0 && trace.threads().size() > 1) {
            warnings.add(new NameHint(trace, options).whyNone());
        }
        long ownerless = found.stream()
                .filter(incident -> incident.owner().evidence() == Evidence.UNKNOWN)
                .count();
        if (ownerless > 0) {
            warnings.add("the trace does not show who was in the way in " + ownerless + " of " + found.size()
                    + " incidents");
        }
        warnings.addAll(trace.warnings());
        warnings.addAll(gaps.warnings());
        return warnings;
    }
}

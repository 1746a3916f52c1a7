package dev.unjank.doctor;

import dev.unjank.trace.Trace;
import dev.unjank.trace.TraceGaps;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/**
 * Finds the times at which threads could not run although they had work, and says for each who was in the way, what that thread
 * was doing, why it took so long, and which frames it cost.
 */
public final class Doctor {
    private final Trace trace;
    private final DoctorOptions options;
    private final ThreadSelection selection;
    private final ThreadRefs refs;
    private final Incidents incidents;

    private Doctor(Trace trace, DoctorOptions options) {
        this.trace = trace;
        this.options = options;
        this.selection = new ThreadSelection(trace, options);
        this.refs = new ThreadRefs(trace);
        this.incidents = new Incidents(trace, refs);
    }

    /**
     * Diagnoses a trace.
     *
     * @param trace the trace
     * @param options whose waits count, and how long they must be
     * @return one incident per wait, the longest first; and what the trace lacks for more
     */
    public static Diagnosis diagnose(Trace trace, DoctorOptions options) {
        return new Doctor(trace, options).diagnose();
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
        int[] utids = selection.utids();
        BitSet selected = new BitSet();
        List<Incident> found = new ArrayList<>();
        long least = options.minDuration().toNanos();
        int count = 0;
        long longest = 0;
        for (int utid : utids) {
            selected.set(utid);
            for (Stall stall : waitsOfInterest(utid, frameFinder.drawing())) {
                count++;
                longest = Math.max(longest, stall.durNs());
                if (stall.durNs() >= Math.max(least, stall.source().leastNs())) {
                    found.add(incidents.of(stall));
                }
            }
        }
        found.sort(
                Comparator.comparingLong((Incident incident) -> -incident.tree().durNs())
                        .thenComparingLong(incident -> incident.tree().startNs()));
        for (int i = 0; i < found.size(); i++) {
            found.set(i, found.get(i).withId(i));
        }
        FrameLedger.Books books = new FrameLedger(trace).book(frames, found);
        Diagnosis.Search search =
                new Diagnosis.Search(options, utids.length, count, longest, incidents.countLockWaitsWithout(selected));
        return new Diagnosis(
                trace.name(),
                trace.startNs(),
                trace.endNs() - trace.startNs(),
                search,
                found,
                books.frames(),
                books.costs(),
                new StartUpFinder(trace, refs, incidents).find(allFrames),
                new SummaryMaker(trace, incidents).of(found, frames, selection::fitsProcess),
                warnings(search, found));
    }

    /**
     * The waits that may be incidents. Of all the main threads of a system most belong to programs that nobody looks at, and that
     * such a one waits for a reply or a CPU troubles nobody; but it may hold up others by its locks. So unless threads were asked
     * for by name, only waits for locks count there. Where the trace shows no frames, those that tell of themselves count as
     * those that draw.
     */
    private Stall[] waitsOfInterest(int utid, BitSet drawing) {
        int upid = trace.threads().upid(utid);
        boolean draws = drawing.isEmpty()
                ? trace.slices().first(utid) < trace.slices().end(utid)
                : upid >= 0 && drawing.get(upid);
        boolean byDefault = options.thread().equals(DoctorOptions.MAIN_THREADS) && options.process() == null;
        return draws || !byDefault ? incidents.waits(utid) : incidents.lockWaits(utid);
    }

    private List<String> warnings(Diagnosis.Search search, List<Incident> found) {
        List<String> warnings = new ArrayList<>();
        if (search.threads() == 0 && trace.threads().size() > 1) {
            warnings.add(selection.whyNone());
        }
        long ownerless = found.stream()
                .filter(incident -> incident.owner().evidence() == Evidence.UNKNOWN)
                .count();
        if (ownerless > 0) {
            warnings.add("the trace does not show who was in the way in " + ownerless + " of " + found.size()
                    + " incidents");
        }
        warnings.addAll(trace.warnings());
        warnings.addAll(TraceGaps.of(trace));
        return warnings;
    }
}

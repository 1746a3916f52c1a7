package dev.unjank.doctor.judge;

import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Summary;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.collections.LongOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Sums lock waits, inversions, frames and verdicts of a trace. */
public final class SummaryBuilder {
    private static final long MS = 1_000_000;

    private final IncidentBuilder all;

    /** Whether the states of owners are known: otherwise no wait can be judged to be an inversion. */
    private final boolean hasScheduling;

    private int waits;
    private long waitNs;
    private long longestNs;
    private int monitorWaits;
    private long monitorNs;
    private int upTo10;
    private int upTo16;
    private int more;
    private long longestInversionNs;

    public SummaryBuilder(IncidentBuilder all, boolean hasScheduling) {
        this.all = all;
        this.hasScheduling = hasScheduling;
    }

    /** Sums a trace; {@code frames} are all frames, {@code utids} the threads whose lock waits count. */
    public Summary of(List<Incident> incidents, List<Frame> frames, BitSet utids) {
        utids.stream().forEach(this::addThread);
        FrameCount ofPrograms = FrameCount.of(frames, false);
        FrameCount ofDisplay = FrameCount.of(frames, true);
        return new Summary(
                waits,
                waitNs,
                longestNs,
                monitorWaits,
                monitorNs,
                hasScheduling ? new Summary.Inversions(upTo10, upTo16, more, longestInversionNs) : null,
                ofPrograms.all(),
                ofPrograms.missed(),
                ofDisplay.all(),
                ofDisplay.missed(),
                totals(incidents));
    }

    private void addThread(int utid) {
        for (BlockedInterval interval : all.lockWaits(utid)) {
            waits++;
            waitNs += interval.durNs();
            longestNs = Math.max(longestNs, interval.durNs());
            if (interval.source().reason(interval).kind() == WaitKind.MONITOR) {
                monitorWaits++;
                monitorNs += interval.durNs();
            }
            if (interval.durNs() >= MS && all.of(interval).verdict() == Verdict.PRIORITY_INVERSION) {
                addInversion(interval.durNs());
            }
        }
    }

    private void addInversion(long ns) {
        if (ns < 10 * MS) {
            upTo10++;
        } else if (ns <= 16 * MS) {
            upTo16++;
        } else {
            more++;
        }
        longestInversionNs = Math.max(longestInversionNs, ns);
    }

    /** Sums incidents by verdict, longest total first. */
    public static List<Summary.Total> totals(List<Incident> incidents) {
        Map<Verdict, Summary.Total> totals = new EnumMap<>(Verdict.class);
        for (Incident incident : incidents) {
            totals.merge(
                    incident.verdict(),
                    new Summary.Total(incident.verdict(), 1, incident.rootWait().durNs()),
                    (a, b) -> new Summary.Total(a.verdict(), a.incidents() + 1, a.durNs() + b.durNs()));
        }
        List<Summary.Total> sorted = new ArrayList<>(totals.values());
        sorted.sort(LongOrder.descending(Summary.Total::durNs));
        return sorted;
    }
}

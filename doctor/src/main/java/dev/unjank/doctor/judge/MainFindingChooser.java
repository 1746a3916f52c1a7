package dev.unjank.doctor.judge;

import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.FrameCost;
import dev.unjank.doctor.model.FrameWorkload;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.MainFinding;
import dev.unjank.doctor.model.OwnWorkFrame;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the main finding of a report: the incident that cost missed frames most, or the longest missed frame's own
 * work.
 */
public final class MainFindingChooser {
    /** The share of the recording from which on pauses take precedence over a wait of unknown cause. */
    private static final double MUCH_PAUSED = 0.25;

    private MainFindingChooser() {}

    /** Chooses the main finding; {@code selected} are the utids that the options select. */
    public static MainFinding choose(
            DoctorOptions options,
            BitSet selected,
            FrameCostCalculator.FrameCosts frameCosts,
            List<Incident> shown,
            List<Incident> others,
            long durationNs,
            List<OwnWorkFrame> ownWorkFrames) {
        List<Incident> counting = new ArrayList<>(shown);
        counting.addAll(others);
        counting.removeIf(incident -> !incident.isInTraceTotals());
        Map<Integer, Long> costs = costs(frameCosts, counting, shown);
        boolean named = options.isThreadNamed();
        List<Incident> candidates = named || counting.isEmpty() ? shown : counting;
        Incident worst =
                pauseIfMuch(enclosingStop(worst(candidates, costs), candidates), candidates, costs, durationNs);
        Incident worstOfAll = named ? worst(counting, costs) : null;
        boolean isWorse = worstOfAll != null
                && worstOfAll.id() > shown.size()
                && (worst == null || isWorse(worstOfAll, worst, costs));
        Frame longest = longestLate(frameCosts.frames());
        Frame late = longest != null && isShown(longest, options, selected) ? longest : null;
        FrameWorkload workload = late != null
                        && !ownWorkFrames.isEmpty()
                        && ownWorkFrames.getFirst().frame().id() == late.id()
                ? ownWorkFrames.getFirst().work()
                : null;
        return new MainFinding(
                worst,
                worst == null ? 0 : costs.getOrDefault(worst.id(), 0L),
                workload,
                isWorse ? worstOfAll : null,
                worstOfAll != null && isWorse ? costs.getOrDefault(worstOfAll.id(), 0L) : 0);
    }

    /**
     * Whether to show the work in a frame. If the options name threads, it is shown only for main threads, and only if
     * the thread that drew the frame is selected.
     */
    private static boolean isShown(Frame frame, DoctorOptions options, BitSet selected) {
        return !options.isThreadNamed()
                || (options.isMainThreads() && (frame.utid() < 0 || selected.get(frame.utid())));
    }

    /**
     * The cost of each incident for missed frames, by its number: frames that their own program missed, or all frames
     * if these had no cost. Frames overlap, and one wait in two of them is not twice the wait.
     */
    private static Map<Integer, Long> costs(
            FrameCostCalculator.FrameCosts frameCosts, List<Incident> counting, List<Incident> shown) {
        Map<Integer, Long> ofApps = costs(frameCosts.costs(), true);
        List<Incident> all = counting.isEmpty() ? shown : counting;
        return all.stream().anyMatch(incident -> ofApps.containsKey(incident.id()))
                ? ofApps
                : costs(frameCosts.costs(), false);
    }

    private static Map<Integer, Long> costs(List<FrameCost> booked, boolean ownFault) {
        Map<Integer, Long> costs = new HashMap<>();
        for (FrameCost cost : booked) {
            if (ownFault ? MissedFrames.isAppJank(cost.frame()) : cost.frame().missed()) {
                long longest = cost.incident().rootWait().durNs();
                costs.merge(cost.incident().id(), cost.overlapNs(), (a, b) -> Math.min(longest, a + b));
            }
        }
        return costs;
    }

    /** The incident with the highest cost of missed frames; without missed frames the first. */
    private static @Nullable Incident worst(List<Incident> incidents, Map<Integer, Long> costs) {
        Incident worst = null;
        long most = -1;
        for (Incident incident : incidents) {
            long cost = costs.getOrDefault(incident.id(), 0L);
            if (cost > most) {
                most = cost;
                worst = incident;
            }
        }
        return worst;
    }

    /**
     * Replaces a wait of unknown cause by the longest pause, if that is longer and pauses took a large share of the
     * recording.
     */
    private static @Nullable Incident pauseIfMuch(
            @Nullable Incident worst, List<Incident> candidates, Map<Integer, Long> costs, long durationNs) {
        if (worst == null || worst.verdict() != Verdict.UNKNOWN || costs.getOrDefault(worst.id(), 0L) > 0) {
            return worst;
        }
        List<Incident> pauses = candidates.stream()
                .filter(incident -> incident.rootWait().isProcessPause()
                        && incident.rootWait().kind() != WaitKind.STOP)
                .toList();
        long sumNs =
                pauses.stream().mapToLong(pause -> pause.rootWait().durNs()).sum();
        boolean isMuch =
                sumNs >= durationNs * MUCH_PAUSED && sumNs > worst.rootWait().durNs();
        return isMuch ? worst(pauses, costs) : worst;
    }

    /** The stop of the process that covers most of a wait; the wait itself if there is none. */
    private static @Nullable Incident enclosingStop(@Nullable Incident wait, List<Incident> candidates) {
        return candidates.stream()
                .filter(stop -> wait != null
                        && stop.rootWait().kind() == WaitKind.STOP
                        && stop.rootWait().thread().upid()
                                == wait.rootWait().thread().upid()
                        && overlapNs(stop.rootWait(), wait.rootWait()) * 2
                                > wait.rootWait().durNs())
                .findFirst()
                .orElse(wait);
    }

    private static long overlapNs(Wait a, Wait b) {
        return Math.min(a.endNs(), b.endNs()) - Math.max(a.startNs(), b.startNs());
    }

    private static boolean isWorse(Incident a, Incident b, Map<Integer, Long> costs) {
        long costOfA = costs.getOrDefault(a.id(), 0L);
        long costOfB = costs.getOrDefault(b.id(), 0L);
        return costOfA != costOfB
                ? costOfA > costOfB
                : a.rootWait().durNs() > b.rootWait().durNs();
    }

    private static @Nullable Frame longestLate(List<Frame> frames) {
        Frame longest = null;
        for (Frame frame : frames) {
            if (MissedFrames.isAppJank(frame) && (longest == null || frame.durNs() > longest.durNs())) {
                longest = frame;
            }
        }
        return longest;
    }
}

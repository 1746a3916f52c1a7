package dev.unjank.doctor.model;

import dev.unjank.doctor.find.frame.FrameWorkloadFinder;
import dev.unjank.doctor.judge.FrameCostCalculator;
import dev.unjank.doctor.judge.MissedFrames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a report says first. It is about the trace as a whole, or about threads that were asked for by name; then also about what is
 * worse.
 *
 * @param incident the incident that cost late frames most, or else the worst; null if there is none
 * @param costNs what it cost late frames, in ns; 0 if nothing
 * @param ownWork the longest late frame, if its own program's work took most of it rather than waits; else null
 * @param worse what is worse than the {@code incident} of threads that were asked for and is not shown; null if nothing
 * @param worseCostNs what that cost late frames, in ns; 0 if nothing
 */
public record MainFinding(
        @Nullable Incident incident,
        long costNs,
        @Nullable FrameWorkload ownWork,
        @Nullable Incident worse,
        long worseCostNs) {

    /**
     * Puts it together; {@code books} are those of all frames, {@code others} count and are not shown. That nobody was seen waiting means
     * work only if {@code waitsAreTold}.
     */
    public static MainFinding of(
            DoctorOptions options,
            FrameCostCalculator.Books books,
            List<Incident> shown,
            List<Incident> others,
            boolean waitsAreTold,
            FrameWorkloadFinder work) {
        List<Incident> counting = new ArrayList<>(shown);
        counting.addAll(others);
        counting.removeIf(incident -> !incident.counts());
        Map<Integer, Long> costs = costs(books, counting, shown);
        boolean named = options.isThreadNamed();
        List<Incident> candidates = named || counting.isEmpty() ? shown : counting;
        Incident worst = halt(worst(candidates, costs), candidates);
        Incident worstOfAll = named ? worst(counting, costs) : null;
        boolean isWorse = worstOfAll != null
                && worstOfAll.id() >= shown.size()
                && (worst == null || isWorse(worstOfAll, worst, costs));
        boolean drawsUnseen = named && !options.isMainThreads(); // nobody asked for the thread that draws
        Frame late = drawsUnseen ? null : longestLate(books.frames());
        List<FrameCost> waits = late == null ? List.of() : waits(late, books.costs());
        long waitedNs = waits.stream().mapToLong(FrameCost::overlapNs).sum();
        FrameWorkload ownWork =
                waitsAreTold && late != null && waitedNs * 4 < late.durNs() ? work.of(late, waits) : null;
        return new MainFinding(
                worst,
                worst == null ? 0 : costs.getOrDefault(worst.id(), 0L),
                ownWork,
                isWorse ? worstOfAll : null,
                worstOfAll != null && isWorse ? costs.getOrDefault(worstOfAll.id(), 0L) : 0);
    }

    /**
     * What each incident cost late frames, by its number: those whose own program was late, or all if nothing cost these any. Frames
     * overlap, and one wait in two of them is not twice the wait.
     */
    private static Map<Integer, Long> costs(
            FrameCostCalculator.Books books, List<Incident> counting, List<Incident> shown) {
        Map<Integer, Long> ofApps = costs(books.costs(), true);
        List<Incident> all = counting.isEmpty() ? shown : counting;
        return all.stream().anyMatch(incident -> ofApps.containsKey(incident.id()))
                ? ofApps
                : costs(books.costs(), false);
    }

    private static Map<Integer, Long> costs(List<FrameCost> booked, boolean ownFault) {
        Map<Integer, Long> costs = new HashMap<>();
        for (FrameCost cost : booked) {
            if (ownFault ? MissedFrames.isOwnFault(cost.frame()) : cost.frame().missed()) {
                long longest = cost.incident().tree().durNs();
                costs.merge(cost.incident().id(), cost.overlapNs(), (a, b) -> Math.min(longest, a + b));
            }
        }
        return costs;
    }

    /** That which cost late frames most; without late frames the first. */
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

    /** The stop of the whole process that most of a wait was; else the wait. */
    private static @Nullable Incident halt(@Nullable Incident wait, List<Incident> candidates) {
        return candidates.stream()
                .filter(stop -> wait != null
                        && stop.tree().kind() == WaitKind.STOP
                        && stop.tree().thread().upid() == wait.tree().thread().upid()
                        && overlapNs(stop.tree(), wait.tree()) * 2 > wait.tree().durNs())
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
                : a.tree().durNs() > b.tree().durNs();
    }

    private static @Nullable Frame longestLate(List<Frame> frames) {
        Frame longest = null;
        for (Frame frame : frames) {
            if (MissedFrames.isOwnFault(frame) && (longest == null || frame.durNs() > longest.durNs())) {
                longest = frame;
            }
        }
        return longest;
    }

    private static List<FrameCost> waits(Frame frame, List<FrameCost> costs) {
        return costs.stream()
                .filter(cost ->
                        cost.frame().id() == frame.id() && cost.incident().counts())
                .toList();
    }
}

package dev.unjank.doctor.scene;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.judge.RootCauseFinder;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Summary;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.doctor.model.cause.CostMeasure;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.doctor.model.cause.RootCauses;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What holds of the root causes of every diagnosis: they contain each incident once, as a wait or as an owner's sleep
 * meanwhile, and their times add up to those of the waits.
 */
final class RootCauseInvariants {
    private RootCauseInvariants() {}

    static void check(Diagnosis diagnosis) {
        check(diagnosis, RootCauseFinder.of(diagnosis));
    }

    static void check(Diagnosis diagnosis, RootCauses causes) {
        assertThat(causes.causes().stream()
                        .flatMap(cause -> cause.allIncidents().stream())
                        .toList())
                .as("each incident in one root cause")
                .containsExactlyInAnyOrderElementsOf(
                        diagnosis.incidents().stream().map(Incident::id).toList());
        boolean isOfFrames = causes.measure() == CostMeasure.MISSED_FRAMES;
        long costs = 0;
        long meanwhileNs = 0;
        Set<Integer> deadlocked = new HashSet<>();
        for (RootCause cause : causes.causes()) {
            meanwhileNs += check(cause.meanwhile(), cause, diagnosis);
            RootCause.Key lock = cause.partOf();
            assertThat(lock == null || (cause.kind() == WaitKind.SLEEP || cause.kind() == WaitKind.IO))
                    .isTrue();
            assertThat(lock == null || !cause.waiters().longest().isAllOfProcess())
                    .as("a pause of all threads is part of nothing that threads hold")
                    .isTrue();
            costs += cause.costNs();
            assertThat(cause.rank()).isEqualTo(causes.causes().indexOf(cause) + 1);
            check(cause, diagnosis);
            if (isOfFrames) {
                assertThat(cause.costNs())
                        .as("the time of its waits in missed frames, each moment once")
                        .isEqualTo(missedNs(cause, diagnosis));
            }
            RootCause before = causes.causes().get(Math.max(0, cause.rank() - 2));
            assertThat(before.verdict() == Verdict.DEADLOCK || cause.verdict() != Verdict.DEADLOCK)
                    .as("deadlocks come first")
                    .isTrue();
            assertThat(before.costNs() >= cause.costNs()
                            || (before.verdict() == Verdict.DEADLOCK && cause.verdict() != Verdict.DEADLOCK))
                    .as("ranked by cost")
                    .isTrue();
            deadlockedThreads(cause, diagnosis)
                    .forEach(utid -> assertThat(deadlocked.add(utid))
                            .as("a deadlock is one root cause")
                            .isTrue());
        }
        assertThat(causes.totalNs() + meanwhileNs).as("the sum of all waits").isEqualTo(sum(diagnosis.incidents()));
        if (!isOfFrames) {
            assertThat(costs).isLessThanOrEqualTo(causes.totalNs());
        }
    }

    private static Set<Integer> deadlockedThreads(RootCause cause, Diagnosis diagnosis) {
        return diagnosis.incidents().stream()
                .filter(incident -> incident.verdict() == Verdict.DEADLOCK
                        && cause.incidents().contains(incident.id()))
                .flatMap(incident -> incident.chain().stream())
                .map(wait -> wait.thread().utid())
                .collect(Collectors.toSet());
    }

    /** Of threads that serve nobody: sleeps while others waited for the lock of a root cause. */
    private static long check(List<Integer> meanwhile, RootCause cause, Diagnosis diagnosis) {
        long sum = 0;
        for (int id : meanwhile) {
            Wait sleep = diagnosis.incident(id).rootWait();
            assertThat(cause.kind().isLock()).isTrue();
            assertThat(sleep.kind()).isIn(WaitKind.SLEEP, WaitKind.IO);
            assertThat(cause.incidents())
                    .as("a wait during the sleep")
                    .anyMatch(wait -> overlap(diagnosis.incident(wait).rootWait(), sleep));
            sum += sleep.durNs();
        }
        return sum;
    }

    private static boolean overlap(Wait wait, Wait sleep) {
        return wait.startNs() < sleep.endNs() && sleep.startNs() < wait.endNs();
    }

    private static void check(RootCause cause, Diagnosis diagnosis) {
        List<Incident> incidents =
                cause.incidents().stream().map(diagnosis::incident).toList();
        assertThat(cause.totalNs()).as("the sum of its waits").isEqualTo(sum(incidents));
        assertThat(cause.verdicts().stream().mapToLong(Summary.Total::durNs).sum())
                .isEqualTo(cause.totalNs());
        assertThat(cause.verdicts().stream().mapToInt(Summary.Total::incidents).sum())
                .isEqualTo(incidents.size());
        assertThat(cause.ownerStates().stream()
                        .mapToLong(Incident.StateDuration::durNs)
                        .sum())
                .isEqualTo(cause.totalNs());
        assertThat(cause.stacks().stream()
                        .mapToLong(RootCause.StackTotal::durNs)
                        .sum())
                .isBetween(0L, cause.totalNs());
        assertThat(cause.occurrences()).isBetween(1, incidents.size());
        assertThat(cause.waiters().threads()).isBetween(1, incidents.size());
        assertThat(cause.p50Ns()).isBetween(1L, cause.p95Ns());
        assertThat(cause.p95Ns()).isLessThanOrEqualTo(cause.maxNs());
        assertThat(cause.example().verdict()).isEqualTo(cause.verdict());
        long frames = diagnosis.frames().stream()
                .filter(Frame::missed)
                .mapToLong(Frame::durNs)
                .sum();
        assertThat(cause.costNs()).isBetween(0L, Math.max(cause.totalNs(), frames));
    }

    /** The time in which a wait of a root cause was in a missed frame: between two ends of waits or frames, or not. */
    private static long missedNs(RootCause cause, Diagnosis diagnosis) {
        List<long[]> parts = new ArrayList<>();
        NavigableSet<Long> ends = new TreeSet<>();
        for (Frame frame : diagnosis.frames()) {
            for (int id : cause.incidents()) {
                Wait wait = diagnosis.incident(id).rootWait();
                long from = Math.max(frame.startNs(), wait.startNs());
                long to = Math.min(frame.endNs(), wait.endNs());
                if (frame.missed() && frame.upid() == wait.thread().upid() && frame.isOf(wait.thread()) && from < to) {
                    parts.add(new long[] {from, to});
                    ends.add(from);
                    ends.add(to);
                }
            }
        }
        return ends.stream()
                .filter(at -> parts.stream().anyMatch(part -> part[0] <= at && at < part[1]))
                .mapToLong(at -> Objects.requireNonNull(ends.higher(at)) - at)
                .sum();
    }

    private static long sum(List<Incident> incidents) {
        return incidents.stream()
                .mapToLong(incident -> incident.rootWait().durNs())
                .sum();
    }
}

package dev.unjank.doctor.scene;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.find.wait.WaitIndex;
import dev.unjank.doctor.model.AppStartup;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnerInterval;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.Segment;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.scene.Scene;
import dev.unjank.scene.TraceInvariants;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.write.WireFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Diagnoses of scenes, and assertions on them. */
public final class SceneDiagnoses {
    public static final DoctorOptions EVERYTHING =
            DoctorOptions.defaults().withThread(DoctorOptions.ALL_THREADS).withMinDuration(Duration.ZERO);

    private SceneDiagnoses() {}

    public static Trace read(byte[] bytes) {
        try {
            Path file = Files.createTempFile("scene", ".pftrace");
            try {
                Files.write(file, bytes);
                Trace trace = TraceReader.read(file);
                TraceInvariants.check(trace);
                return trace;
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Diagnosis diagnose(Scene scene, DoctorOptions options) {
        return JsonReportSchema.checked(Doctor.diagnose(read(scene.toBytes(WireFormat.PLAIN)), options));
    }

    /** As {@link #diagnose}, in each encoding that Perfetto has for the same events; the diagnoses must be equal. */
    public static Diagnosis inAnyFormat(Scene scene, DoctorOptions options) {
        Diagnosis plain = diagnose(scene, options);
        for (WireFormat format : List.of(WireFormat.COMPACT, WireFormat.COMPRESSED)) {
            Diagnosis other = Doctor.diagnose(read(scene.toBytes(format)), options);
            assertThat(other.incidents()).isEqualTo(plain.incidents());
            assertThat(other.frames()).isEqualTo(plain.frames());
        }
        assertSound(plain);
        return plain;
    }

    /** The incidents of main threads in the bytes of a trace. */
    public static List<Incident> incidents(byte[] trace) {
        Diagnosis diagnosis = Doctor.diagnose(read(trace), DoctorOptions.defaults());
        assertSound(diagnosis);
        return diagnosis.incidents();
    }

    /** The diagnosis of a scene as systrace text, which must be able to represent it. */
    static Diagnosis inText(Scene scene, DoctorOptions options) {
        return Doctor.diagnose(read(SystraceExport.of(read(scene.toBytes(WireFormat.PLAIN)))), options);
    }

    /** The diagnosis of a scene as a systrace page with lists of processes. */
    static Diagnosis inPage(Scene scene, DoctorOptions options) {
        return Doctor.diagnose(read(SystraceExport.page(read(scene.toBytes(WireFormat.PLAIN)))), options);
    }

    /** The only incident of a main thread. */
    public static Incident only(Scene scene) {
        List<Incident> incidents = diagnose(scene, DoctorOptions.defaults()).incidents();
        assertThat(incidents).hasSize(1);
        return incidents.getFirst();
    }

    public static Map<OwnerState, Long> states(Incident incident) {
        Map<OwnerState, Long> states = new HashMap<>();
        incident.ownerStates().forEach(time -> states.put(time.state(), time.durNs()));
        return states;
    }

    public static void assertUnboundedInversion(Incident incident, long ns) {
        assertThat(incident.verdict()).isEqualTo(Verdict.PRIORITY_INVERSION);
        assertThat(incident.judgement().unbounded()).isTrue();
        assertThat(incident.judgement().decisiveNs()).isEqualTo(ns);
    }

    /** Invariants of every diagnosis: times add up to the nanosecond, and nothing counts twice. */
    public static void assertSound(Diagnosis diagnosis) {
        Map<List<Integer>, List<Wait>> waits =
                new HashMap<>(); // of a process and its thread, if it is not that of all of them
        for (Incident incident : diagnosis.incidents()) {
            Wait tree = incident.rootWait();
            assertTiled(tree);
            long states = incident.ownerStates().stream()
                    .mapToLong(Incident.StateDuration::durNs)
                    .sum();
            assertThat(states).isEqualTo(tree.durNs());
            assertThat(incident.judgement().decisiveNs()).isBetween(0L, tree.durNs());
            assertThat(incident.chain().getFirst()).isEqualTo(tree);
            assertWithin(diagnosis, tree.startNs(), tree.endNs());
            RecomputedVerdict.assertInversion(incident);
            assertEndsWhenTheWaiterRuns(tree);
            if (RecomputedVerdict.isDecidedByLeaves(incident)) {
                assertThat(incident.verdict()).isEqualTo(RecomputedVerdict.of(incident));
                assertThat(incident.judgement().decisiveNs()).isEqualTo(RecomputedVerdict.decisiveNs(incident));
            }
            if (incident.convoy() != null && hasAllWaits(diagnosis)) {
                RecomputedVerdict.assertConvoy(incident, diagnosis.incidents());
            }
            PrintedSentences.assertTrue(incident);
            waits.computeIfAbsent(List.of(tree.thread().upid(), tree.thread().utid()), key -> new ArrayList<>())
                    .add(tree);
        }
        for (List<Wait> ofThread : waits.values()) {
            ofThread.sort(Comparator.comparingLong(Wait::startNs));
            for (int i = 1; i < ofThread.size(); i++) {
                assertThat(ofThread.get(i).startNs())
                        .isGreaterThanOrEqualTo(ofThread.get(i - 1).endNs());
            }
        }
        diagnosis.frames().forEach(frame -> assertThat(frame.endNs()).isLessThanOrEqualTo(endNs(diagnosis)));
        for (AppStartup start : diagnosis.startups()) {
            assertWithin(diagnosis, start.startNs(), start.firstFrameNs());
            assertThat(start.shares().stream()
                            .mapToLong(AppStartup.Share::durNs)
                            .sum())
                    .isEqualTo(start.timeToInitialDisplayNs());
        }
        RootCauseInvariants.check(diagnosis);
        CriticalPathInvariants.check(diagnosis);
        BlockedTimeInvariants.check(diagnosis);
    }

    /** The waiter's own running after its wake-up is not waiting, if its states are known until the end. */
    private static void assertEndsWhenTheWaiterRuns(Wait wait) {
        Set<OwnerState> after = wait.afterWakeUp().stream().map(Segment::state).collect(Collectors.toSet());
        long ranNs = wait.afterWakeUp().stream()
                .dropWhile(part -> part.state() != OwnerState.RUNNING)
                .mapToLong(Segment::durNs)
                .sum();
        if (ranNs >= WaitIndex.LEAST_RUN_NS) {
            assertThat(EnumSet.of(OwnerState.RUNNING, OwnerState.RUNNABLE).containsAll(after))
                    .as("own running of " + wait)
                    .isFalse();
        }
    }

    /** Whether no wait is left out by the options. */
    private static boolean hasAllWaits(Diagnosis diagnosis) {
        DoctorOptions options = diagnosis.search().options();
        return options.isAllThreads() && options.minDuration().isZero();
    }

    private static long endNs(Diagnosis diagnosis) {
        return diagnosis.startNs() + diagnosis.durationNs();
    }

    private static void assertWithin(Diagnosis diagnosis, long startNs, long endNs) {
        assertThat(startNs).isBetween(diagnosis.startNs(), endNs(diagnosis));
        assertThat(endNs).isBetween(startNs, endNs(diagnosis));
    }

    /** Checks a whole tree: nothing overlaps, nothing is left out, the leaves add up to the root. */
    public static void assertTiled(Wait wait) {
        long[] leaves = {0};
        wait.forEachLeaf(part -> leaves[0] += part.durNs());
        assertThat(leaves[0]).isEqualTo(wait.durNs());
        long at = wait.startNs();
        for (OwnerInterval ownerInterval : wait.ownerIntervals()) {
            assertThat(ownerInterval.startNs()).isEqualTo(at);
            assertThat(ownerInterval.segments()).isNotEmpty();
            for (Segment part : ownerInterval.segments()) {
                assertThat(part.startNs()).isEqualTo(at);
                assertThat(part.durNs()).isPositive();
                assertThat(part.nextWait() != null).isEqualTo(part.state() == OwnerState.BLOCKED);
                if (part.nextWait() != null) {
                    assertThat(part.nextWait().startNs()).isEqualTo(part.startNs());
                    assertThat(part.nextWait().durNs()).isEqualTo(part.durNs());
                    assertTiled(part.nextWait());
                }
                at += part.durNs();
            }
            assertThat(at).isEqualTo(ownerInterval.endNs());
        }
        assertThat(at).isEqualTo(wait.endNs());
    }
}

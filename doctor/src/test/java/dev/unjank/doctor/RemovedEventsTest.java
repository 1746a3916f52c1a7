package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.ThinnedTrace;
import dev.unjank.fixture.RealTraces;
import dev.unjank.scene.TraceInvariants;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Traces without a tenth of their packets, lines or events, and no record of that. Where what is left contradicts
 * itself, the doctor gives weaker evidence; few known verdicts turn into other known ones, and few waits are invented.
 *
 * <p>The rest fits together as if nothing were missing, and no rule can find it. Without a packet a CPU is without all
 * its events of a tenth of a second: threads that were woken, ran and slept in these sleep throughout, and one that was
 * woken before seems to wait for a CPU. Some bundles name the event before them, which shows that one between is
 * missing; older ones do not.
 *
 * <p>Measured: of all known verdicts these turned into others, and of the rest's known verdicts these are of waits of
 * which the whole trace has nothing at the time. {@code -Dunjank.runs} sets the number of runs of the long test, the
 * group {@code long}.
 *
 * <table>
 *   <caption>Changed verdicts and invented waits</caption>
 *   <tr><th>trace</th><th>runs</th><th>changed</th><th>invented</th></tr>
 *   <tr><td>Android 13, compact switches without the thread that leaves</td><td>200</td>
 *       <td>319 of 64,476 (0.49 %)</td><td>3,213 of 52,432 (6.1 %)</td></tr>
 *   <tr><td>Android 7, no wakeups</td><td>200</td>
 *       <td>422 of 83,411 (0.51 %)</td><td>1,373 of 60,935 (2.3 %)</td></tr>
 *   <tr><td>systrace text, single lines</td><td>200</td>
 *       <td>7 of 11,648 (0.06 %)</td><td>20 of 2,366 (0.8 %)</td></tr>
 *   <tr><td>systrace page, single lines</td><td>200</td><td>0 of 1,168</td><td>5 of 281 (1.8 %)</td></tr>
 *   <tr><td>launcher-jank.pftrace: each begin and end of a slice is a packet</td><td>2</td>
 *       <td>45 of 3,049 (1.5 %)</td><td>10 of 2,992 (0.3 %)</td></tr>
 *   <tr><td>Android 15, whose bundles name the event before them</td><td>2</td>
 *       <td>1 of 1,772 (0.06 %)</td><td>2 of 1,107 (0.2 %)</td></tr>
 *   <tr><td>Android 11</td><td>2</td><td>0 of 931</td><td>7 of 827 (0.8 %)</td></tr>
 *   <tr><td>Android 12</td><td>2</td><td>0 of 6,602</td><td>13 of 5,338 (0.2 %)</td></tr>
 *   <tr><td>an IDE's Flight Recorder file: convoys that became long holds</td><td>2</td>
 *       <td>49 of 14,929 (0.33 %)</td><td>none</td></tr>
 *   <tr><td>ExhaustedPool and SlowJournal</td><td>2</td><td>4 of 1,583 (0.25 %)</td><td>none</td></tr>
 *   <tr><td>the others</td><td>2</td><td>none</td><td>none</td></tr>
 * </table>
 */
class RemovedEventsTest {
    private static final double REMOVED = 0.1;

    /**
     * The share of known verdicts that may turn into other known ones, rounded up to whole verdicts; more where each
     * begin and end of a slice is a packet.
     */
    private static final double TOLERANCE = 0.01;

    private static final double TOLERANCE_OF_TRACK_EVENTS = 0.02;
    private static final String TRACK_EVENTS = "launcher-jank.pftrace";

    /**
     * The share of the rest's known verdicts that may be of waits of which the whole trace has nothing at the time,
     * rounded up to whole verdicts.
     */
    private static final double INVENTED = 0.03;

    /**
     * More where switches do not name the thread that leaves, nor bundles the event before them: where one is lost, a
     * thread that has run seems to wait for a CPU.
     */
    private static final double INVENTED_BY_COMPACT_SWITCHES = 0.08;

    private static final String COMPACT_SWITCHES = "a13_pixel6a_startup_warm.perfetto-trace";

    @TempDir
    private Path folder;

    private record Key(String kind, int tid, long startNs) {}

    /**
     * Counts of waits with a known verdict.
     *
     * @param known those of the whole trace that the rest has as well
     * @param changed of these, those that have another known verdict in the rest
     * @param weaker of these, those whose verdict is not known in the rest
     * @param found those of the rest
     * @param invented of these, those of which the whole trace has nothing at the time
     */
    private record Change(int known, int changed, int weaker, int found, int invented) {
        static final Change NONE = new Change(0, 0, 0, 0, 0);

        Change plus(Change other) {
            return new Change(
                    known + other.known,
                    changed + other.changed,
                    weaker + other.weaker,
                    found + other.found,
                    invented + other.invented);
        }
    }

    /** The waits of the whole trace. */
    private static final class Whole {
        private final Map<Key, Incident> byKey = new HashMap<>();
        private final Map<Integer, List<Incident>> byThread = new HashMap<>();

        Whole(Diagnosis diagnosis) {
            for (Incident incident : diagnosis.incidents()) {
                byKey.put(key(incident), incident);
                byThread.computeIfAbsent(incident.rootWait().thread().tid(), tid -> new ArrayList<>())
                        .add(incident);
            }
        }

        /** Compares the verdicts of the waits that both traces have, and counts the waits that only the rest has. */
        Change compare(Diagnosis rest) {
            Change sum = Change.NONE;
            for (Incident incident : rest.incidents()) {
                boolean isKnown = isKnown(incident);
                Incident before = byKey.get(key(incident));
                if (before != null && isKnown(before)) {
                    boolean isChanged = isKnown && incident.verdict() != before.verdict();
                    sum = sum.plus(new Change(1, isChanged ? 1 : 0, isKnown ? 0 : 1, 0, 0));
                }
                if (isKnown) {
                    sum = sum.plus(new Change(0, 0, 0, 1, hasWaitAt(incident.rootWait()) ? 0 : 1));
                }
            }
            return sum;
        }

        private boolean hasWaitAt(Wait wait) {
            return byThread.getOrDefault(wait.thread().tid(), List.of()).stream()
                    .map(Incident::rootWait)
                    .anyMatch(other -> other.startNs() < wait.endNs() && wait.startNs() < other.endNs());
        }
    }

    /** The real traces that consist of packets, lines or events, and those of the project. */
    static Stream<Path> traces() throws IOException {
        Path examples = Path.of(System.getProperty("unjank.root", "."), "examples");
        try (Stream<Path> files = Files.walk(examples)) {
            List<Path> ownTraces = files.filter(file -> file.toString().matches(".*\\.(pftrace|jfr\\.gz)"))
                    .sorted()
                    .toList();
            return Stream.concat(
                    ownTraces.stream(),
                    RealTraces.names().stream()
                            .filter(name -> !name.endsWith(".ctrace"))
                            .map(RealTraces::file));
        }
    }

    @ParameterizedTest
    @MethodSource("traces")
    @Tag("slow")
    void aTenthOfThePackets(Path file) throws IOException {
        assertChange(file, 2);
    }

    @ParameterizedTest
    @MethodSource("traces")
    @Tag("long")
    void aTenthOfThePacketsTwoHundredTimes(Path file) throws IOException {
        assertChange(file, Integer.getInteger("unjank.runs", 200));
    }

    private void assertChange(Path file, int seeds) throws IOException {
        byte[] trace = Files.readAllBytes(file);
        Whole whole = new Whole(Doctor.diagnose(TraceReader.read(file), SceneDiagnoses.EVERYTHING));
        Change sum = Change.NONE;
        for (int seed = 1; seed <= seeds; seed++) {
            byte[] rest = ThinnedTrace.without(REMOVED, file.getFileName().toString(), trace, new Random(seed));
            Trace thinned = TraceReader.read(Files.write(folder.resolve("rest"), rest));
            TraceInvariants.check(thinned);
            Diagnosis diagnosis = Doctor.diagnose(thinned, SceneDiagnoses.EVERYTHING);
            if (seed == 1) {
                SceneDiagnoses.assertSound(diagnosis);
            }
            sum = sum.plus(whole.compare(diagnosis));
        }
        String name = file.getFileName().toString();
        double tolerance = name.equals(TRACK_EVENTS) ? TOLERANCE_OF_TRACK_EVENTS : TOLERANCE;
        assertThat(sum.changed).as(name + ": " + sum).isLessThanOrEqualTo((int) Math.ceil(tolerance * sum.known));
        double invented = name.equals(COMPACT_SWITCHES) ? INVENTED_BY_COMPACT_SWITCHES : INVENTED;
        assertThat(sum.invented).as(name + ": " + sum).isLessThanOrEqualTo((int) Math.ceil(invented * sum.found));
    }

    private static Key key(Incident incident) {
        Wait wait = incident.rootWait();
        ThreadRef thread = wait.thread();
        return new Key(wait.kind().name(), thread.tid(), wait.startNs());
    }

    private static boolean isKnown(Incident incident) {
        return incident.verdict() != Verdict.UNKNOWN && incident.judgement().evidence() != Evidence.EVENTS_LOST;
    }
}

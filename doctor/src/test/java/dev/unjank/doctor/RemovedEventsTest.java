package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.scene.RealTraceDiagnoses;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.fixture.RealTraces;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real traces without a tenth of their packets. Nothing in the trace says that these are missing, so a wait may get a verdict by what
 * is left: of the waits with a known cause, few may get another known one. The rest keep theirs, or become unknown.
 */
class RemovedEventsTest {
    private static final double REMOVED = 0.1;

    /** The share of known verdicts that may change to other known ones. */
    private static final double TOLERANCE = 0.06;

    private record Key(String kind, int tid, long startNs) {}

    private record Change(int known, int changed, int worse) {
        Change plus(Change other) {
            return new Change(known + other.known, changed + other.changed, worse + other.worse);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {RealTraceDiagnoses.ANDROID_15, RealTraceDiagnoses.ANDROID_13, RealTraceDiagnoses.ANDROID_7})
    @Tag("slow")
    void aTenthOfThePackets(String name) throws IOException {
        assertChange(name, 3);
    }

    @ParameterizedTest
    @ValueSource(strings = {RealTraceDiagnoses.ANDROID_15, RealTraceDiagnoses.ANDROID_13, RealTraceDiagnoses.ANDROID_7})
    @Tag("long")
    void aTenthOfThePacketsTwoHundredTimes(String name) throws IOException {
        assertChange(name, 200);
    }

    private static void assertChange(String name, int seeds) throws IOException {
        byte[] trace = Files.readAllBytes(RealTraces.file(name));
        Map<Key, Incident> whole = byKey(RealTraceDiagnoses.everything(name).incidents());
        Change sum = new Change(0, 0, 0);
        for (int seed = 1; seed <= seeds; seed++) {
            Diagnosis diagnosis =
                    Doctor.diagnose(SceneDiagnoses.read(without(trace, new Random(seed))), SceneDiagnoses.EVERYTHING);
            SceneDiagnoses.assertSound(diagnosis);
            sum = sum.plus(change(whole, diagnosis.incidents()));
        }
        assertThat(sum.known).isPositive();
        assertThat((double) sum.changed / sum.known).as(name + ": " + sum).isLessThanOrEqualTo(TOLERANCE);
    }

    private static Map<Key, Incident> byKey(List<Incident> incidents) {
        Map<Key, Incident> byKey = new HashMap<>();
        for (Incident incident : incidents) {
            byKey.put(key(incident), incident);
        }
        return byKey;
    }

    private static Key key(Incident incident) {
        Wait wait = incident.rootWait();
        ThreadRef thread = wait.thread();
        return new Key(wait.kind().name(), thread.tid(), wait.startNs());
    }

    /** Compares the verdicts of the waits that both traces have. */
    private static Change change(Map<Key, Incident> whole, List<Incident> rest) {
        int known = 0;
        int changed = 0;
        int worse = 0;
        for (Incident incident : rest) {
            Incident before = whole.get(key(incident));
            if (before == null || before.verdict() == Verdict.UNKNOWN) {
                continue;
            }
            known++;
            if (incident.verdict() == Verdict.UNKNOWN || incident.judgement().evidence() == Evidence.EVENTS_LOST) {
                worse++;
            } else if (incident.verdict() != before.verdict()) {
                changed++;
            }
        }
        return new Change(known, changed, worse);
    }

    /** A trace is a sequence of packets, each a field with its length. */
    private static byte[] without(byte[] trace, Random random) {
        ByteArrayOutputStream rest = new ByteArrayOutputStream(trace.length);
        int at = 0;
        while (at < trace.length) {
            int length = 0;
            int next = at + 1;
            int shift = 0;
            do {
                length |= (trace[next] & 0x7f) << shift;
                shift += 7;
            } while (trace[next++] < 0);
            int end = Math.min(trace.length, next + length);
            if (random.nextDouble() >= REMOVED) {
                rest.write(trace, at, end - at);
            }
            at = end;
        }
        return rest.toByteArray();
    }
}

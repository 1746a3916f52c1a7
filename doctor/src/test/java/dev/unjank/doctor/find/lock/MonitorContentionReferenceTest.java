package dev.unjank.doctor.find.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Summary;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.doctor.scene.RealTraceDiagnoses;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The monitor contentions of real traces, row by row against those of Perfetto's trace processor. */
class MonitorContentionReferenceTest {
    private static final int TS = 0;
    private static final int DUR = 1;
    private static final int PROCESS = 2;
    private static final int BLOCKED_NAME = 3;
    private static final int BLOCKED_TID = 4;
    private static final int BLOCKED_IS_MAIN = 5;
    private static final int OWNER_NAME = 6;
    private static final int OWNER_TID = 7;
    private static final int OWNER_METHOD = 8;
    private static final int BLOCKED_METHOD = 9;
    private static final int OWNER_SOURCE = 10;
    private static final int BLOCKED_SOURCE = 11;
    private static final int WAITERS = 12;

    private static Map<String, Incident> monitors(String trace) {
        Map<String, Incident> monitors = new HashMap<>();
        for (Incident incident : RealTraceDiagnoses.everything(trace).incidents()) {
            if (incident.rootWait().kind() == WaitKind.MONITOR) {
                monitors.put(
                        incident.rootWait().thread().tid() + "@"
                                + incident.rootWait().startNs(),
                        incident);
            }
        }
        return monitors;
    }

    /**
     * Once, on Android 13, the monitor changed owners between the two slices: the outer one names the previous owner,
     * the inner one the current owner.
     */
    @ParameterizedTest
    @ValueSource(strings = {RealTraceDiagnoses.ANDROID_15, RealTraceDiagnoses.ANDROID_13, RealTraceDiagnoses.ANDROID_7})
    void rows(String trace) throws IOException {
        Map<String, Incident> monitors = monitors(trace);
        List<List<String>> rows = RealTraceDiagnoses.expected(trace, "monitor_contention");
        assertThat(rows).hasSizeGreaterThan(60);
        List<String> handedOn = new ArrayList<>();
        for (List<String> row : rows) {
            Incident incident = monitors.get(row.get(BLOCKED_TID) + "@" + row.get(TS));
            assertThat(incident).as(row.toString()).isNotNull();
            Wait wait = incident.rootWait();
            assertThat(wait.durNs()).isEqualTo(Long.parseLong(row.get(DUR)));
            // Once trace processor names a process by the last name of its main thread, where the process tree has
            // the process's own.
            assertThat(wait.thread().process())
                    .isEqualTo(row.get(PROCESS).equals("Shutdown thread") ? "app_process" : row.get(PROCESS));
            assertThat(wait.thread().name()).isEqualTo(row.get(BLOCKED_NAME));
            assertThat(wait.thread().main()).isEqualTo(row.get(BLOCKED_IS_MAIN).equals("1"));
            assertThat(wait.waiters()).isEqualTo(Integer.parseInt(row.get(WAITERS)));
            assertSite(wait.location(), row.get(BLOCKED_METHOD), row.get(BLOCKED_SOURCE));
            if (incident.owner().location() == null) {
                assertThat(incident.owner().evidence()).isEqualTo(Evidence.OWNER_FROM_CHILD);
                handedOn.add(row.get(OWNER_NAME));
            } else {
                assertThat(incident.owner().thread().name()).isEqualTo(row.get(OWNER_NAME));
                assertSite(incident.owner().location(), row.get(OWNER_METHOD), row.get(OWNER_SOURCE));
            }
        }
        assertThat(handedOn).hasSize(trace.equals(RealTraceDiagnoses.ANDROID_13) ? 1 : 0);
    }

    /** Perfetto ends a location at the first closing parenthesis; ours includes the line. */
    private static void assertSite(CodeLocation site, String method, String source) {
        assertThat(site.method()).isEqualTo(method);
        if (source.startsWith(":")) {
            assertThat(site.source()).startsWith(source + "):");
        } else {
            assertThat(site.source()).isEqualTo(source);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {RealTraceDiagnoses.ANDROID_15, RealTraceDiagnoses.ANDROID_7})
    void ownersWithRecordedTids(String trace) throws IOException {
        Map<String, Incident> monitors = monitors(trace);
        for (List<String> row : RealTraceDiagnoses.expected(trace, "monitor_contention")) {
            Incident incident = monitors.get(row.get(BLOCKED_TID) + "@" + row.get(TS));
            assertThat(incident.owner().thread().tid())
                    .as(row.toString())
                    .isEqualTo(Integer.parseInt(row.get(OWNER_TID)));
        }
    }

    /** Trace processor takes the runtime's thread id for a tid and finds no thread. */
    @Test
    void ownersWithTheRuntimesThreadIds() throws IOException {
        Map<String, Incident> monitors = monitors(RealTraceDiagnoses.ANDROID_13);
        for (List<String> row : RealTraceDiagnoses.expected(RealTraceDiagnoses.ANDROID_13, "monitor_contention")) {
            ThreadRef owner = monitors.get(row.get(BLOCKED_TID) + "@" + row.get(TS))
                    .owner()
                    .thread();
            assertThat(owner.isInTrace()).as(row.toString()).isTrue();
            assertThat(owner.tid()).isNotEqualTo(Integer.parseInt(row.get(OWNER_TID)));
            assertThat(owner.process()).isEqualTo(row.get(PROCESS));
        }
    }

    /** Trace processor drops a contention whose owner's method the runtime does not know. */
    @Test
    void contentionsWithoutTheOwnersMethod() throws IOException {
        Map<String, Incident> monitors = monitors(RealTraceDiagnoses.ANDROID_13);
        RealTraceDiagnoses.expected(RealTraceDiagnoses.ANDROID_13, "monitor_contention")
                .forEach(row -> monitors.remove(row.get(BLOCKED_TID) + "@" + row.get(TS)));
        assertThat(monitors.values()).hasSize(2).allSatisfy(incident -> {
            assertThat(incident.owner().location()).isNull();
            assertThat(incident.owner().thread().isInTrace()).isTrue();
        });
    }

    /**
     * The monitor waits of main threads equal those of Perfetto's trace processor; the other locks that a summary
     * counts are those of the runtime, for which it has no table.
     */
    @ParameterizedTest
    @CsvSource({
        RealTraceDiagnoses.ANDROID_15 + ", 20, 12599, 34, 13587",
        RealTraceDiagnoses.ANDROID_13 + ", 8, 705, 8, 705",
        RealTraceDiagnoses.ANDROID_7 + ", 4, 753, 10, 1730"
    })
    void theSummaryOfMainThreads(String trace, int monitors, long monitorMicros, int locks, long lockMicros)
            throws IOException {
        List<Long> durations = RealTraceDiagnoses.expected(trace, "monitor_contention").stream()
                .filter(row -> row.get(BLOCKED_IS_MAIN).equals("1"))
                .map(row -> Long.parseLong(row.get(DUR)))
                .toList();
        Summary summary = Doctor.diagnose(RealTraceDiagnoses.trace(trace), DoctorOptions.defaults())
                .summary();
        assertThat(summary.monitorWaits()).isEqualTo(monitors).isEqualTo(durations.size());
        assertThat(summary.monitorWaitNs())
                .isEqualTo(durations.stream().mapToLong(Long::longValue).sum());
        assertThat((summary.monitorWaitNs() + 500) / 1000).isEqualTo(monitorMicros);
        assertThat(summary.lockWaits()).isEqualTo(locks);
        assertThat((summary.lockWaitNs() + 500) / 1000).isEqualTo(lockMicros);
    }
}

package dev.unjank.doctor.find.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.BlockedKind;
import dev.unjank.doctor.model.BlockedTime;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.SyntheticTrace;
import dev.unjank.trace.model.SchedState;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A thread that waits for the next event by a call that returns when there is one is idle; a thread with slow calls is
 * not.
 */
public class PollingThreadsTest {
    private static final int CALLER = 1001;
    private static final int SERVER = 2002;

    /** For the test of all parsers of names. */
    public static void parse(String name) {
        PollingThreads.isPollMethod(name);
    }

    /** A number of calls, each of 10 ms, with some time in between; the server thread sleeps in them, or runs. */
    private static Diagnosis diagnosis(String name, int count, double pauseMs, boolean serverRuns) {
        SyntheticTrace stage = new SyntheticTrace()
                .process(SyntheticTrace.APP, "sensor service")
                .process(SyntheticTrace.SERVER, "sensors")
                .thread(CALLER, SyntheticTrace.APP, "poller", 110)
                .thread(SERVER, SyntheticTrace.SERVER, "server", 110);
        double at = 1;
        for (int i = 0; i < count; i++) {
            double end = at + 10;
            stage.runs(CALLER, at - 0.02, at + 0.1, SchedState.SLEEPING)
                    .call(CALLER, at, end, SERVER, at + 0.05, end - 0.05);
            if (!name.isEmpty()) {
                stage.slice(CALLER, name, at - 0.01, end + 0.01);
            }
            if (serverRuns) {
                stage.runs(SERVER, at + 0.05, end - 0.04, SchedState.SLEEPING);
            } else {
                stage.runs(SERVER, at + 0.05, at + 0.1, SchedState.SLEEPING)
                        .runs(SERVER, end - 0.1, end - 0.04, SchedState.SLEEPING);
            }
            at = end + pauseMs;
        }
        stage.runs(CALLER, at, at + 1, SchedState.SLEEPING);
        return stage.diagnose(SceneDiagnoses.EVERYTHING);
    }

    private static List<Incident> calls(String name, int count, double pauseMs, boolean serverRuns) {
        return diagnosis(name, count, pauseMs, serverRuns).incidents().stream()
                .filter(incident -> incident.rootWait().kind() == WaitKind.BINDER)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "HIDL::ISensors::poll::client, 3, 20,  false, 0", // by its name
        "HIDL::ISensors::pool::client, 3, 20,  false, 3", // near miss: another name, and time for other work
        "HIDL::IEvents::next::client,  6, 0.1, false, 0", // by what it does
        "'',                           6, 0.1, false, 0", // also without a name
        "HIDL::IEvents::next::client,  4, 0.1, false, 4", // near miss: few calls
        "HIDL::IEvents::next::client,  6, 2,   false, 6", // near miss: works between them
        "HIDL::IEvents::next::client,  6, 0.1, true,  6", // near miss: the server thread works
    })
    void idleCalls(String name, int count, double pauseMs, boolean serverRuns, int incidents) {
        assertThat(calls(name, count, pauseMs, serverRuns)).hasSize(incidents);
    }

    /** Both threads sleep for 60 ms in calls; the server thread is idle between them. */
    @ParameterizedTest
    @CsvSource({
        "HIDL::ISensors::poll::client, 20,  240",
        "HIDL::ISensors::pool::client, 20,  120", // near miss: both are in a call
        "HIDL::IEvents::next::client,  0.1, 120",
        "HIDL::IEvents::next::client,  2,   12" // near miss: the caller works in between
    })
    void theTimeInPollsIsIdle(String name, double pauseMs, double idleMs) {
        long idleNs = diagnosis(name, 6, pauseMs, false).blockedTime().kinds().stream()
                .filter(total -> total.kind() == BlockedKind.IDLE)
                .mapToLong(BlockedTime.KindTotal::durNs)
                .sum();
        assertThat(idleNs / 1e6).isCloseTo(idleMs, Offset.offset(3.0));
    }

    @Test
    void aSlowCallKeepsItsVerdict() {
        assertThat(calls("AIDL::IStore::load::client", 6, 0.1, true))
                .extracting(Incident::verdict)
                .containsOnly(Verdict.SLOW_REPLY);
    }
}

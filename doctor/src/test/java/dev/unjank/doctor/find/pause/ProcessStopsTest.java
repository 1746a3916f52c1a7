package dev.unjank.doctor.find.pause;

import static dev.unjank.doctor.scene.SyntheticTrace.APP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.GenericTerm;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.doctor.scene.SyntheticTrace;
import dev.unjank.trace.model.SchedState;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The interval in which a process is stopped from outside, by the states of its threads. */
class ProcessStopsTest {
    private static final int WORKER = 1001;

    private final SyntheticTrace stage = new SyntheticTrace()
            .process(APP, "com.example.app")
            .thread(WORKER, APP, "worker", 120)
            .slice(APP, "work", 1, 40);

    /** A thread runs, is stopped, and runs again. */
    private SyntheticTrace stops(int tid, double from, double to, SchedState how) {
        return stage.runs(tid, from - 1, from, how).runs(tid, to, to + 1, SchedState.SLEEPING);
    }

    /** Each stop as its start, its end (with a plus if unfinished) and its cause. */
    private List<String> halts() {
        return stage.diagnose(DoctorOptions.defaults()).incidents().stream()
                .map(Incident::rootWait)
                .filter(wait -> wait.kind() == WaitKind.STOP)
                .map(wait -> wait.startNs() / 1e6 + " " + wait.endNs() / 1e6 + (wait.unfinished() ? "+ " : " ")
                        + wait.target())
                .sorted()
                .toList();
    }

    private static String signal(String interval) {
        return interval + " " + GenericTerm.SIGNAL.text();
    }

    @Test
    void aMillisecondIsTheMinimum() {
        stops(APP, 5, 6, SchedState.STOPPED);
        assertThat(halts()).containsExactly(signal("5.0 6.0"));
    }

    @Test
    void lessThanAMillisecondIsNone() {
        stops(APP, 5, 5.999, SchedState.STOPPED);
        assertThat(halts()).isEmpty();
    }

    @Test
    void aDebuggerIsNoSignal() {
        stops(APP, 5, 10, SchedState.TRACED);
        assertThat(halts()).containsExactly("5.0 10.0 " + GenericTerm.DEBUGGER.text());
    }

    @Test
    void aProcessMayBeStoppedAgain() {
        stops(APP, 5, 10, SchedState.STOPPED);
        stops(APP, 20, 28, SchedState.STOPPED);
        assertThat(halts()).containsExactly(signal("20.0 28.0"), signal("5.0 10.0"));
    }

    /** A stop lasts no longer than that of the main thread. */
    @Test
    void aThreadThatContinuesLaterDoesNotExtendIt() {
        stops(APP, 5, 10, SchedState.STOPPED);
        stops(WORKER, 4, 30, SchedState.STOPPED);
        assertThat(halts()).containsExactly(signal("5.0 10.0"));
    }

    /** The state of a thread before its first event is unknown. */
    @Test
    void aThreadWithALaterFirstEventCutsTheRest() {
        stops(APP, 5, 20, SchedState.STOPPED);
        stage.runs(WORKER, 12, 13, SchedState.STOPPED).runs(WORKER, 20, 21, SchedState.SLEEPING);
        assertThat(halts()).containsExactly(signal("13.0 20.0"), signal("5.0 12.0"));
    }

    @ParameterizedTest
    @EnumSource(
            value = SchedState.class,
            names = {"DEAD", "ZOMBIE", "UNKNOWN"})
    void deadThreadsDoNotEndIt(SchedState state) {
        stops(APP, 5, 20, SchedState.STOPPED);
        stage.runs(WORKER, 2, 4, state);
        assertThat(halts()).containsExactly(signal("5.0 20.0"));
    }

    /** A thread that exited has no state any more, and its last one was long before. */
    @Test
    void anExitedThreadDoesNotExtendIt() {
        stops(APP, 5, 10, SchedState.STOPPED);
        stops(APP, 20, 28, SchedState.STOPPED);
        stage.runs(WORKER, 1, 3, SchedState.DEAD).isFreed(WORKER, 3.1);
        assertThat(halts()).containsExactly(signal("20.0 28.0"), signal("5.0 10.0"));
    }

    /** A part that ended since a thread continued is finished, though the process is stopped again then. */
    @Test
    void onlyTheLastPartIsUnfinished() {
        stage.runs(APP, 1, 5, SchedState.STOPPED)
                .runs(WORKER, 1, 5, SchedState.STOPPED)
                .runs(WORKER, 10, 12, SchedState.STOPPED)
                .strayThread(2002, "other")
                .runs(2002, 1, 30, SchedState.SLEEPING);
        assertThat(halts()).containsExactly(signal("12.0 30.0+"), signal("5.0 10.0"));
    }

    /** States after the scheduler's last event are unknown. */
    @Test
    void aStopLastsUntilTheSchedulersLastEvent() {
        stage.runs(APP, 1, 5, SchedState.STOPPED)
                .strayThread(2002, "other")
                .runs(2002, 1, 30, SchedState.SLEEPING)
                .end(50);
        assertThat(halts()).containsExactly(signal("5.0 30.0+"));
    }
}

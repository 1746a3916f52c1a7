package dev.unjank.doctor.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.scene.SyntheticTrace;
import dev.unjank.trace.model.SchedState;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sentence on a wait: what the waiter did after its wake-up, and which main thread did it. */
class WaiterSentencesTest {
    private static final int SERVER = 2002;

    /**
     * The waiter is woken at 15 ms, runs from then on or later, and its call returns at 17 ms. Its own run is no part
     * of the wait if it lasts.
     */
    @ParameterizedTest
    @CsvSource({
        "15.1, 'an unknown state for 0.050 ms. These times include the 0.100 ms after the wake-up.'",
        "16.5, main thread was woken and then was runnable (waiting for a CPU) for 1.500 ms.",
        "16.9, main thread was woken and then was runnable (waiting for a CPU) for 1.900 ms and ran for 0.100 ms.",
    })
    void theWaiterAfterItsWakeUp(double runs, String end) {
        SyntheticTrace stage = new SyntheticTrace()
                .process(SyntheticTrace.APP, "com.example.app")
                .process(SyntheticTrace.SERVER, "server")
                .thread(SERVER, SyntheticTrace.SERVER, "binder", 110)
                .runs(SyntheticTrace.APP, 1, 5.001, SchedState.SLEEPING)
                .wakes(SERVER, 15, SyntheticTrace.APP)
                .runs(SyntheticTrace.APP, runs, 30, SchedState.SLEEPING)
                .call(SyntheticTrace.APP, 5, 17, SERVER, 5.1, 14.99)
                .runs(SERVER, 5.05, 16, SchedState.SLEEPING);
        Incident incident = stage.incidents().getFirst();
        assertThat(WaitMessages.ownerActivity(incident)).endsWith(end);
    }

    /** Two processes have a main thread each; one of another process goes by its process. */
    @ParameterizedTest
    @CsvSource({
        "2000, 'During the wait, the main thread of server ran for '",
        "2002, 'During the wait, binder ran for '",
    })
    void theMainThreadOfAnotherProcess(int server, String start) {
        SyntheticTrace stage = new SyntheticTrace()
                .process(SyntheticTrace.APP + 1, "com.example.app")
                .process(SyntheticTrace.SERVER, "server")
                .thread(SERVER, SyntheticTrace.SERVER, "binder", 110)
                .runs(SyntheticTrace.APP + 1, 1, 5.001, SchedState.SLEEPING)
                .wakes(server, 15, SyntheticTrace.APP + 1)
                .runs(SyntheticTrace.APP + 1, 15.1, 30, SchedState.SLEEPING)
                .call(SyntheticTrace.APP + 1, 5, 15.2, server, 5.1, 14.99)
                .runs(server, 5.05, 16, SchedState.SLEEPING);
        assertThat(WaitMessages.ownerActivity(stage.incidents().getFirst())).startsWith(start);
    }
}

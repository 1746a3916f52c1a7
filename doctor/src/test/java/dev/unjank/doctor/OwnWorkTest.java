package dev.unjank.doctor;

import static dev.unjank.doctor.Stage.APP;
import static dev.unjank.doctor.Stage.SERVER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.SchedState;
import org.junit.jupiter.api.Test;

/** A late frame that its own program made late: what the work was, and whom to talk to. */
class OwnWorkTest {
    private static final int RENDERER = 1001;
    private static final int WORKER = 1002;

    private final Stage stage = new Stage().process(APP, "com.example.app").thread(WORKER, APP, "worker", 120);

    private String answer() {
        return Words.answer(stage.diagnose(DoctorOptions.defaults()));
    }

    /** A frame from 1 to 101 ms; within it 40, 20, 10 and 2 ms have names. */
    private Stage frame() {
        return stage.begins(APP, "Choreographer#doFrame 1", 1)
                .slice(APP, "inflate", 5, 25)
                .slice(APP, "measure", 30, 40)
                .slice(APP, "inflate", 45, 65)
                .slice(APP, "trifle", 70, 72)
                .ends(APP, 101);
    }

    @Test
    void slicesAreToldWithoutWhatIsWithinThem() {
        frame().runs(APP, 1, 80, SchedState.SLEEPING)
                .runs(APP, 90, 101, SchedState.SLEEPING)
                .wakes(WORKER, 90, APP);
        assertThat(answer())
                .endsWith(
                        "its worst late frame took 100.000 ms, none of it in waits of at least 1 ms; the rest was its own"
                                + " work, sleep or shorter waits: its main thread ran for 90.000 ms of it, and was longest in"
                                + " Choreographer#doFrame 1 (48.000 ms), inflate (40.000 ms) and measure (10.000 ms). Talk to"
                                + " whoever wrote com.example.app.");
    }

    /** What is told as a wait is not told again as work. */
    @Test
    void waitsAreLeftOut() {
        frame().slice(
                        APP,
                        "monitor contention with owner worker (1002) at void a.B.c()(B.java:1) waiters=0 blocking from void"
                                + " d.E.f()(E.java:2)",
                        10,
                        20)
                .runs(APP, 1, 10, SchedState.SLEEPING)
                .runs(WORKER, 2, 30, SchedState.SLEEPING)
                .wakes(WORKER, 20, APP)
                .runs(APP, 20, 101, SchedState.SLEEPING);
        assertThat(answer())
                .contains("only 10.000 ms of it in waits")
                .contains("ran for 90.000 ms of it")
                .contains("inflate (30.000 ms)")
                .doesNotContain("monitor contention");
    }

    @Test
    void theRendererMayBeWhoWorks() {
        frame().thread(RENDERER, APP, "RenderThread", 110)
                .slice(RENDERER, "upload", 3, 90)
                .runs(APP, 1, 3, SchedState.SLEEPING)
                .runs(RENDERER, 3, 90, SchedState.SLEEPING)
                .wakes(RENDERER, 90, APP)
                .runs(APP, 90, 101, SchedState.SLEEPING);
        assertThat(answer())
                .contains("waits: RenderThread ran for 87.000 ms of it, and was longest in upload (87.000 ms).");
    }

    @Test
    void aPartOfAndroidIsNoProgramThatSomebodyWrote() {
        Stage server = new Stage()
                .process(SERVER, "com.android.systemui", 10_110)
                .process(3000, "surfaceflinger")
                .slice(SERVER, "Choreographer#doFrame 1", 1, 40)
                .runs(SERVER, 1, 40, SchedState.SLEEPING);
        assertThat(Words.answer(server.diagnose(DoctorOptions.defaults())))
                .endsWith(" com.android.systemui is a part of the system: talk to whoever made the device's Android.");
    }
}

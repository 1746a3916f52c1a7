package dev.unjank.doctor;

import static dev.unjank.doctor.JvmStage.MAIN;
import static dev.unjank.doctor.Stage.APP;
import static dev.unjank.doctor.Stage.SERVER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.SchedState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whom to talk to where the thread to blame is no program's, so that nobody wrote it whom the reader could ask. */
class ContactTest {
    private static final int OTHER = 2010;

    /** An app's main thread is ready to run from 5 to 17 ms, and one other thread runs. */
    private static Stage starvedBy(Stage stage) {
        return stage.process(APP, "com.example.app")
                .slice(APP, "work", 1, 20)
                .runs(APP, 1, 2, SchedState.SLEEPING)
                .runs(OTHER, 3, 17, SchedState.SLEEPING)
                .wakes(OTHER, 5, APP)
                .runs(APP, 17, 20, SchedState.SLEEPING);
    }

    private static String answer(Stage stage) {
        return Words.answer(stage.diagnose(DoctorOptions.defaults()));
    }

    @Test
    void aThreadOfTheKernelIsTheDevices() {
        assertThat(answer(starvedBy(new Stage().kernelThread(OTHER, "mdss_dsi_event"))))
                .endsWith(
                        "mdss_dsi_event is a thread of the kernel, or of a driver in it: talk to whoever made the device.");
    }

    /** Where nothing tells whose child a thread is, some names do. */
    @Test
    void aThreadOfTheKernelIsKnownByItsName() {
        assertThat(answer(starvedBy(new Stage().strayThread(OTHER, "kworker/u16:3"))))
                .endsWith(
                        "kworker/u16:3 is a thread of the kernel, or of a driver in it: talk to whoever made the device.");
    }

    @Test
    void nobodyIsNamedWhereTheTraceDoesNotTellWhoseAThreadIs() {
        assertThat(answer(starvedBy(new Stage().strayThread(OTHER, "worker"))))
                .endsWith(" Which program worker is of, the trace does not tell.")
                .doesNotContain("whoever");
    }

    @ParameterizedTest
    @CsvSource({
        "system_server",
        "surfaceflinger",
        "/vendor/bin/hw/composer",
        "com.android.systemui",
        "android.hardware.light"
    })
    void aPartOfAndroidIsWhoseAndroidItIs(String process) {
        Stage stage = new Stage().process(3000, "/system/bin/surfaceflinger").process(SERVER, process);
        assertThat(answer(starvedBy(stage.thread(OTHER, SERVER, "one", 120))))
                .endsWith(process
                        + " is a part of the system: talk to whoever made the device's Android, about its thread one.");
    }

    @ParameterizedTest
    @CsvSource({
        "wificond, 1010, ' wificond is a part of the system: talk to whoever made the device''s Android, about its thread one.'",
        "com.example.vendor, 1001, ' com.example.vendor is a part of the system: talk to whoever made the device''s Android, about its thread one.'",
        "dotless, 10123, ' Talk to whoever wrote dotless, about its thread one.'",
        "dotless, 1010123, ' Talk to whoever wrote dotless, about its thread one.'", // of a second person
        "com.example.app, 0, ' Talk to whoever wrote com.example.app, about its thread one.'", // just forked
        "vold, 0, ' vold is a part of the system: talk to whoever made the device''s Android, about its thread one.'",
        "wificond, -1, ' Talk to whoever wrote wificond, which may be an app or a part of the system, about its thread one.'",
        "lymusicplayback, -1, ' Talk to whoever wrote lymusicplayback, which may be an app or a part of the system, about its thread one.'",
    })
    void theUserTellsAnAppFromAPartOfAndroid(String process, int uid, String contact) {
        Stage stage = new Stage().process(3000, "surfaceflinger").process(SERVER, process, uid);
        assertThat(answer(starvedBy(stage.thread(OTHER, SERVER, "one", 120)))).endsWith(contact);
    }

    @ParameterizedTest
    @CsvSource({"com.android.chrome", "org.example.maps:sync"})
    void anAppIsWhoeverWroteIt(String process) {
        Stage stage = new Stage().process(3000, "surfaceflinger").process(SERVER, process);
        assertThat(answer(starvedBy(stage.thread(OTHER, SERVER, "one", 120))))
                .endsWith("Talk to whoever wrote " + process + ", about its thread one.");
    }

    @Test
    void elsewhereAProgramWithoutADotIsAProgram() {
        assertThat(answer(starvedBy(new Stage().process(SERVER, "server").thread(OTHER, SERVER, "one", 120))))
                .endsWith("Talk to whoever wrote server, about its thread one.");
    }

    @Test
    void aServiceOfAndroidCanBeAskedForLess() {
        Stage stage = new Stage()
                .process(APP, "com.example.app")
                .process(SERVER, "system_server")
                .thread(2002, SERVER, "Binder_1", 120)
                .slice(APP, "work", 1, 40)
                .runs(APP, 1, 5, SchedState.SLEEPING)
                .call(APP, 5, 30, 2002, 5.1, 29.9)
                .wakes(APP, 5, 2002)
                .runs(2002, 5.1, 29.9, SchedState.SLEEPING)
                .wakes(2002, 29.9, APP)
                .runs(APP, 30, 40, SchedState.SLEEPING);
        assertThat(answer(stage))
                .endsWith(
                        "system_server is a part of the system: talk to whoever made the device's Android, about its thread"
                                + " Binder_1; until then ask it for less, or from a thread that may wait.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "C2 CompilerThread0|it compiles what the program runs often",
                "GC Thread#0|it collects garbage. An allocation profile shows whose",
                "JFR Recording Scheduler|it works for whoever looks into the program",
                "VM Thread|no program's code runs in it."
            })
    void aThreadOfTheVirtualMachineIsNoPrograms(String name, String what) {
        try (JvmStage stage = new JvmStage()) {
            stage.name(OTHER, name).runs(0, MAIN, "main", 1, 2, SchedState.SLEEPING);
            stage.slice(
                    MAIN,
                    5,
                    60,
                    "",
                    "monitor contention with owner " + name + " (" + OTHER
                            + ") at void app.Ui.draw()(Ui:7) waiters=0 lock=app.Store blocking from void app.Ui.draw()(Ui:7)");
            stage.runs(1, OTHER, name.substring(0, Math.min(15, name.length())), 4, 61, SchedState.SLEEPING);
            assertThat(Words.answer(stage.diagnose()))
                    .contains(" " + name + " is the Java virtual machine's own: " + what)
                    .doesNotContain("Talk to whoever wrote");
        }
    }
}

package dev.unjank.doctor.report;

import static dev.unjank.doctor.scene.SyntheticJvmTrace.MAIN;
import static dev.unjank.doctor.scene.SyntheticTrace.APP;
import static dev.unjank.doctor.scene.SyntheticTrace.SERVER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import dev.unjank.doctor.scene.SyntheticTrace;
import dev.unjank.trace.model.SchedState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whom to talk to where the thread to blame is no program's, so that nobody wrote it whom the reader could ask. */
class ComponentMessagesTest {
    private static final int OTHER = 2010;

    /** An app's main thread is ready to run from 5 to 17 ms, and one other thread runs. */
    private static SyntheticTrace starvedBy(SyntheticTrace stage) {
        return stage.process(APP, "com.example.app")
                .slice(APP, "work", 1, 20)
                .runs(APP, 1, 2, SchedState.SLEEPING)
                .runs(OTHER, 3, 17, SchedState.SLEEPING)
                .wakes(OTHER, 5, APP)
                .runs(APP, 17, 20, SchedState.SLEEPING);
    }

    private static String answer(SyntheticTrace stage) {
        return JudgementMessages.of(stage.diagnose(DoctorOptions.defaults()));
    }

    @Test
    void aThreadOfTheKernelIsTheDevices() {
        assertThat(answer(starvedBy(new SyntheticTrace().kernelThread(OTHER, "mdss_dsi_event"))))
                .endsWith("mdss_dsi_event, a kernel thread (possibly of a driver); ask the device's vendor.");
    }

    /** If the process of a thread is not recorded, some names identify it, and its job. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kworker/u16:3|runs deferred work of drivers and file systems; ask the device's vendor.",
                "kworker/u17:2-mali_jd|runs deferred work of drivers and file systems (mali_jd); ask the device's vendor.",
                "kworker/1:1H+kblockd|runs deferred work of drivers and file systems (kblockd); ask the device's vendor.",
                "irq/145-touch|handles interrupts (touch); ask the device's vendor.",
                "irq/145|handles interrupts; ask the device's vendor.",
                "rcu_preempt|runs RCU callbacks; ask the device's vendor.",
                "kswapd0|reclaims memory because little is free; find the program that uses the memory.",
                "kcompactd0|compacts memory for large allocations; find the program that uses the memory.",
            })
    void aThreadOfTheKernelIsKnownByItsName(String name, String does) {
        assertThat(answer(starvedBy(new SyntheticTrace().strayThread(OTHER, name))))
                .endsWith(" " + name + ", a kernel thread that " + does);
        assertThat(answer(starvedBy(new SyntheticTrace().kernelThread(OTHER, name))))
                .endsWith(" " + name + ", a kernel thread that " + does);
    }

    /** A program may call its threads what it likes, and a name may hold what others begin with. */
    @ParameterizedTest
    @CsvSource({"app-kworker/1, ' Look at: app-kworker/1 (program not recorded).'"})
    void onlyTheBeginningOfANameTells(String name, String contact) {
        assertThat(answer(starvedBy(new SyntheticTrace().strayThread(OTHER, name))))
                .endsWith(contact);
        assertThat(answer(starvedBy(
                        new SyntheticTrace().process(SERVER, "server").thread(OTHER, SERVER, "kworker/1", 120))))
                .endsWith(" Look at: server, thread kworker/1.");
    }

    @Test
    void kthreaddIsTheKernelsItself() {
        SyntheticTrace stage =
                new SyntheticTrace().process(APP, "com.example.app").process(2, "any");
        stage.slice(APP, "work", 1, 20)
                .runs(APP, 1, 2, SchedState.SLEEPING)
                .runsOn(0, 2, 3, 17, SchedState.SLEEPING)
                .wakes(2, 5, APP)
                .runs(APP, 17, 20, SchedState.SLEEPING);
        assertThat(answer(stage)).endsWith("any, a kernel thread (possibly of a driver); ask the device's vendor.");
    }

    /** A machine that runs a Java virtual machine need be no device that somebody sells whole. */
    @Test
    void theKernelOfAServerIsLookedAfter() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.slice(SyntheticJvmTrace.MAIN, 1, 20, "", "work")
                    .runs(0, SyntheticJvmTrace.MAIN, "main", 1, 2, SchedState.SLEEPING)
                    .runs(0, OTHER, "ksoftirqd/0", 3, 17, SchedState.SLEEPING)
                    .wakes(0, OTHER, 5, SyntheticJvmTrace.MAIN)
                    .runs(0, SyntheticJvmTrace.MAIN, "main", 17, 20, SchedState.SLEEPING);
            assertThat(JudgementMessages.of(stage.diagnose()))
                    .endsWith("disks and timers; ask the machine's administrator.");
        }
    }

    /** The function is that in which the one to blame slept, for longest. */
    @Test
    void whereInTheKernelItSlept() {
        SyntheticTrace stage = new SyntheticTrace()
                .process(APP, "com.example.app")
                .kernelThread(OTHER, "driver")
                .slice(APP, "work", 1, 40)
                .runs(APP, 1, 5, SchedState.SLEEPING)
                .call(APP, 5, 30, OTHER, 5.1, 29.9)
                .wakes(APP, 5, OTHER)
                .runs(OTHER, 5.1, 6, SchedState.UNINTERRUPTIBLE)
                .wakes(APP, 9, OTHER)
                .sleptInKernel(OTHER, 9, false, "short_wait")
                .runs(OTHER, 9.1, 10, SchedState.UNINTERRUPTIBLE)
                .wakes(APP, 29, OTHER)
                .sleptInKernel(OTHER, 29, false, "long_wait")
                .runs(OTHER, 29.1, 29.9, SchedState.SLEEPING)
                .wakes(OTHER, 29.9, APP)
                .runs(APP, 30, 40, SchedState.SLEEPING);
        assertThat(answer(stage)).endsWith("in long_wait; ask the device's vendor.");
    }

    @ParameterizedTest
    @CsvSource({
        "true,  'com.example.app, in uninterruptible sleep for 6.000 ms (blocked function: some_wait). Look at: com.example.app, main thread (does I/O).'",
        "false, 'com.example.app, in uninterruptible sleep for 6.000 ms (blocked function: some_wait). Look at: com.example.app, main thread (in uninterruptible sleep).'",
    })
    void notEverySleepInTheKernelIsForIo(boolean ioWait, String contact) {
        SyntheticTrace stage = new SyntheticTrace()
                .process(APP, "com.example.app")
                .slice(APP, "work", 1, 20)
                .runs(APP, 1, 5, SchedState.UNINTERRUPTIBLE)
                .strayThread(OTHER, "disk")
                .runs(OTHER, 10.5, 11, SchedState.SLEEPING)
                .wakes(OTHER, 11, APP)
                .sleptInKernel(APP, 11, ioWait, "some_wait")
                .runs(APP, 11.001, 20, SchedState.SLEEPING);
        assertThat(answer(stage)).endsWith(contact);
    }

    /** Who holds a lock of a process's is of that process, though nothing else says so. */
    @Test
    void theOwnerOfALockIsOfTheProgramThatWaits() {
        assertThat(answer(lockHeldByStray(new SyntheticTrace().process(APP, "com.example.app"))))
                .endsWith(" Look at: com.example.app, thread worker.");
        assertThat(answer(lockHeldByStray(
                        new SyntheticTrace().process(3000, "surfaceflinger").process(APP, "system_server"))))
                .endsWith(" Look at: system_server, part of the Android system, thread" + " worker.");
        assertThat(answer(lockHeldByStray(new SyntheticTrace().thread(APP, APP, "om.example.app", 110))))
                .endsWith(" Look at: the program of om.example.app, thread worker.");
    }

    private static SyntheticTrace lockHeldByStray(SyntheticTrace stage) {
        return stage.strayThread(OTHER, "worker")
                .slice(APP, "Lock contention on a monitor lock (owner tid: " + OTHER + ")", 5, 15)
                .runs(APP, 1, 5, SchedState.SLEEPING)
                .runs(OTHER, 2, 15, SchedState.SLEEPING)
                .wakes(OTHER, 14.9, APP)
                .runs(APP, 15, 20, SchedState.SLEEPING);
    }

    /** The thread that owes a reply is of another process, which no lock identifies. */
    @Test
    void whoOwesAReplyIsOfAProcessOfItsOwn() {
        SyntheticTrace stage = new SyntheticTrace()
                .process(APP, "com.example.app")
                .strayThread(OTHER, "binder")
                .slice(APP, "work", 1, 40)
                .runs(APP, 1, 5, SchedState.SLEEPING)
                .call(APP, 5, 30, OTHER, 5.1, 29.9)
                .wakes(APP, 5, OTHER)
                .runs(OTHER, 5.1, 29.9, SchedState.SLEEPING)
                .wakes(OTHER, 29.9, APP)
                .runs(APP, 30, 40, SchedState.SLEEPING);
        assertThat(answer(stage)).endsWith(" Look at: binder (program not recorded).");
    }

    /** Somebody without a name on whom a known thread waits behind a third. */
    @Test
    void onlyItsOwnLocksTellOfItsProcess() {
        SyntheticTrace stage = lockHeldByStray(new SyntheticTrace().process(APP, "com.example.app"))
                .strayThread(2020, "last")
                .call(OTHER, 16, 40, 2020, 16.1, 39.9);
        stage.slice(APP, "Lock contention on a monitor lock (owner tid: " + OTHER + ")", 21, 45)
                .runs(OTHER, 15, 16, SchedState.SLEEPING)
                .wakes(OTHER, 16, 2020)
                .runs(2020, 16.1, 39.9, SchedState.SLEEPING)
                .wakes(2020, 39.9, OTHER)
                .runs(OTHER, 40, 45, SchedState.SLEEPING)
                .wakes(OTHER, 44.9, APP)
                .runs(APP, 45, 50, SchedState.SLEEPING);
        assertThat(answer(stage))
                .contains("Blocked by: last and 1 other, running for 18.900 ms in total")
                .endsWith(" Look at: last (program not recorded).");
    }

    /** The name of a thread other than the main one does not identify its program. */
    @Test
    void onlyTheMainThreadBearsTheProgramsName() {
        SyntheticTrace stage = new SyntheticTrace()
                .thread(APP, APP, "om.example.app", 110)
                .thread(1001, APP, "Binder_1", 110)
                .strayThread(OTHER, "worker")
                .slice(1001, "Lock contention on a monitor lock (owner tid: " + OTHER + ")", 5, 15)
                .runs(1001, 1, 5, SchedState.SLEEPING)
                .runs(OTHER, 2, 15, SchedState.SLEEPING)
                .wakes(OTHER, 14.9, 1001)
                .runs(1001, 15, 20, SchedState.SLEEPING);
        assertThat(JudgementMessages.of(stage.diagnose(DoctorOptions.defaults().withThread("Binder_1"))))
                .contains(" Look at: worker (program not recorded).");
    }

    @Test
    void aProcessWithoutANameIsNobodys() {
        assertThat(answer(starvedBy(new SyntheticTrace().process(SERVER, "").thread(OTHER, SERVER, "one", 120))))
                .endsWith(" Look at: one (program not recorded).");
    }

    /**
     * The place is where the responsible thread acquired its lock, not where an earlier owner did. Time without a CPU
     * does not change it.
     */
    @Test
    void thePlaceIsThatOfTheOneToBlame() {
        SyntheticTrace stage = new SyntheticTrace()
                .process(APP, "com.example.app")
                .thread(1001, APP, "first", 120)
                .thread(OTHER, APP, "second", 120)
                .thread(1002, APP, "greedy", 120)
                .slice(APP, contention("first", 1001, "a.First.take"), 5, 30)
                .slice(1001, contention("second", OTHER, "a.Second.take"), 6, 29)
                .runs(APP, 1, 5, SchedState.SLEEPING)
                .runs(1001, 2, 6, SchedState.SLEEPING)
                .runs(OTHER, 2, 10, SchedState.RUNNABLE)
                .runsOn(0, 1002, 10, 11, SchedState.SLEEPING)
                .runs(OTHER, 11, 29, SchedState.SLEEPING)
                .wakes(OTHER, 28.9, 1001)
                .runs(1001, 29, 30, SchedState.SLEEPING)
                .wakes(1001, 29.9, APP)
                .runs(APP, 30, 40, SchedState.SLEEPING);
        assertThat(answer(stage)).endsWith(" Look at: com.example.app, thread second, in a.Second.take.");
    }

    private static String contention(String owner, int tid, String place) {
        return "monitor contention with owner " + owner + " (" + tid + ") at void " + place
                + "()(A.java:1) waiters=0 blocking from void d.E.f()(E.java:2)";
    }

    /** What the trace itself says of its machine is enough, though none of Android's servers is seen. */
    @Test
    void aMachineThatSaysItIsAndroid() {
        SyntheticTrace stage =
                new SyntheticTrace().fact("android_build_fingerprint", "x").process(SERVER, "wificond", 1010);
        assertThat(answer(starvedBy(stage.thread(OTHER, SERVER, "one", 120))))
                .contains(" Look at: wificond, part of the Android system");
    }

    /** A service of the same process cannot be asked for less. */
    @Test
    void aCallWithinASystemProcessIsItsOwn() {
        SyntheticTrace stage = new SyntheticTrace()
                .process(SERVER, "system_server")
                .thread(2002, SERVER, "Binder_1", 120)
                .slice(SERVER, "work", 1, 40)
                .runs(SERVER, 1, 5, SchedState.SLEEPING)
                .call(SERVER, 5, 30, 2002, 5.1, 29.9)
                .wakes(SERVER, 5, 2002)
                .runs(2002, 5.1, 29.9, SchedState.SLEEPING)
                .wakes(2002, 29.9, SERVER)
                .runs(SERVER, 30, 40, SchedState.SLEEPING);
        assertThat(answer(stage)).endsWith("part of the Android system, thread Binder_1.");
    }

    @Test
    void nobodyIsNamedWhereTheTraceDoesNotTellWhoseAThreadIs() {
        assertThat(answer(starvedBy(new SyntheticTrace().strayThread(OTHER, "worker"))))
                .endsWith(" Look at: worker (program not recorded).")
                .doesNotContain("ask the");
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
        SyntheticTrace stage =
                new SyntheticTrace().process(3000, "/system/bin/surfaceflinger").process(SERVER, process);
        assertThat(answer(starvedBy(stage.thread(OTHER, SERVER, "one", 120))))
                .endsWith(process + ", part of the Android system, thread one.");
    }

    @ParameterizedTest
    @CsvSource({
        "wificond, 1010, ' Look at: wificond, part of the Android system, thread one.'",
        "com.example.vendor, 1001, ' Look at: com.example.vendor, part of the Android system, thread one.'",
        "first, 10000, ' Look at: first, thread one.'",
        "last, 9999, ' Look at: last, part of the Android system, thread one.'",
        "com.example.root, 1000000, ' Look at: com.example.root, part of the Android system, thread one.'",
        "com.android.phone:ui, 10200, ' Look at: com.android.phone:ui, part of the Android system, thread one.'",
        "dotless, 10123, ' Look at: dotless, thread one.'",
        "dotless, 1010123, ' Look at: dotless, thread one.'", // of a second person
        "com.example.app, 0, ' Look at: com.example.app, thread one.'", // just forked
        "vold, 0, ' Look at: vold, part of the Android system, thread one.'",
        "wificond, -1, ' Look at: wificond (an app or part of the system), thread one.'",
        "lymusicplayback, -1, ' Look at: lymusicplayback (an app or part of the system), thread one.'",
    })
    void theUserTellsAnAppFromAPartOfAndroid(String process, int uid, String contact) {
        SyntheticTrace stage =
                new SyntheticTrace().process(3000, "surfaceflinger").process(SERVER, process, uid);
        assertThat(answer(starvedBy(stage.thread(OTHER, SERVER, "one", 120)))).endsWith(contact);
    }

    @ParameterizedTest
    @CsvSource({"com.android.chrome", "org.example.maps:sync"})
    void anAppIsWhoeverWroteIt(String process) {
        SyntheticTrace stage =
                new SyntheticTrace().process(3000, "surfaceflinger").process(SERVER, process);
        assertThat(answer(starvedBy(stage.thread(OTHER, SERVER, "one", 120))))
                .endsWith("Look at: " + process + ", thread one.");
    }

    @Test
    void elsewhereAProgramWithoutADotIsAProgram() {
        assertThat(answer(
                        starvedBy(new SyntheticTrace().process(SERVER, "server").thread(OTHER, SERVER, "one", 120))))
                .endsWith("Look at: server, thread one.");
    }

    @Test
    void aServiceOfAndroidCanBeAskedForLess() {
        SyntheticTrace stage = new SyntheticTrace()
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
                .endsWith("Look at: system_server, part of the Android system, thread"
                        + " Binder_1; call it less often, or from a thread that is not latency-critical.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "C2 CompilerThread0|compiles hot methods",
                "GC Thread#0|collects garbage; an allocation profile shows",
                "JFR Recording Scheduler|belongs to a profiler or an attached tool; check its settings",
                "VM Thread|executes VM operations, not application code."
            })
    void aThreadOfTheVirtualMachineIsNoPrograms(String name, String what) {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.name(OTHER, name).runs(0, MAIN, "main", 1, 2, SchedState.SLEEPING);
            stage.slice(
                    MAIN,
                    5,
                    60,
                    "",
                    "monitor contention with owner " + name + " (" + OTHER
                            + ") at void app.Ui.draw()(Ui:7) waiters=0 lock=app.Store blocking from void app.Ui.draw()(Ui:7)");
            stage.runs(1, OTHER, name.substring(0, Math.min(15, name.length())), 4, 61, SchedState.SLEEPING);
            assertThat(JudgementMessages.of(stage.diagnose()))
                    .contains(" Look at: " + name + ", a JVM thread that " + what);
        }
    }
}

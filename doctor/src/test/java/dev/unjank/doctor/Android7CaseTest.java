package dev.unjank.doctor;

import static dev.unjank.scene.Scene.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.scene.IncidentDump;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.trace.write.AtraceMarks;
import dev.unjank.trace.write.FtraceCpuWriter;
import dev.unjank.trace.write.KernelEvent;
import dev.unjank.trace.write.PrevState;
import dev.unjank.trace.write.Task;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The hand-worked incident of Android 7, in the form that this system records: an event for each
 * switch, wake-ups in place of wakings (so the waker is unknown), the kernel's old clock and old states, and no inner
 * lock slice. A scene writes traces of newer systems, so this test writes each event. The wait begins at 10 ms.
 */
class Android7CaseTest {
    private static final long ZERO = 790_000_000_000L;
    private static final long FTRACE_IS_LATER = 123_456_789L;
    private static final int PID = 3879;
    private static final Task READER = new Task(3969, "User-Facing Sha", 120);
    private static final Task MAIN = new Task(PID, "earchbox:search", 120);
    private static final Task BINDER = new Task(720, "Binder:535_1", 120);
    private static final String CONTENTION =
            "monitor contention with owner main (3879) at void android.media.AudioRecord.native_stop()(AudioRecord.java:-2)"
                    + " waiters=0 blocking from int com.google.android.apps.gsa.speech.audio.aj.read(byte[], int, int)"
                    + "(MicrophoneInputStream.java:261)";

    private static long at(double milliseconds) {
        return ZERO + FTRACE_IS_LATER + ms(milliseconds);
    }

    private static void runs(FtraceCpuWriter cpu, int number, Task task, double from) throws IOException {
        cpu.schedSwitch(at(from), Task.idle(number), PrevState.RUNNABLE, task);
    }

    private static void leaves(FtraceCpuWriter cpu, int number, Task task, double at) throws IOException {
        cpu.schedSwitch(at(at), task, PrevState.SLEEPING, Task.idle(number));
    }

    private static byte[] trace() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            writer.systemInfo("3.10.73-g5bda6a2", 24);
            writer.processTree(
                    ZERO,
                    List.of(
                            new TraceWriter.ProcessEntry(PID, 500, "com.google.android.googlequicksearchbox:search"),
                            new TraceWriter.ProcessEntry(535, 1, "/system/bin/audioserver")),
                    List.of(
                            new TraceWriter.ThreadEntry(READER.tid(), PID, READER.comm()),
                            new TraceWriter.ThreadEntry(BINDER.tid(), 535, BINDER.comm())));
            writer.globalFtraceClock(at(0), ZERO);

            FtraceCpuWriter cpu0 = writer.cpu(0);
            runs(cpu0, 0, MAIN, 1);
            KernelEvent.binderTransaction(7, false, false).writeTo(cpu0, at(10.1), PID);
            cpu0.schedWakeup(at(10.11), PID, BINDER, 2);
            leaves(cpu0, 0, MAIN, 10.15);
            runs(cpu0, 0, MAIN, 73.362);
            KernelEvent.binderReceived(8).writeTo(cpu0, at(73.362), PID);
            leaves(cpu0, 0, MAIN, 73.481);
            cpu0.schedWakeup(at(74.39), 0, MAIN, 0);
            runs(cpu0, 0, MAIN, 74.39);
            cpu0.schedWakeup(at(77.07), PID, READER, 1);
            leaves(cpu0, 0, MAIN, 78);

            FtraceCpuWriter cpu1 = writer.cpu(1);
            runs(cpu1, 1, READER, 5);
            cpu1.print(at(10), READER.tid(), AtraceMarks.begin(PID, CONTENTION));
            leaves(cpu1, 1, READER, 10.05);
            runs(cpu1, 1, READER, 77.074);
            cpu1.print(at(77.107), READER.tid(), AtraceMarks.end(PID));
            leaves(cpu1, 1, READER, 80);

            FtraceCpuWriter cpu2 = writer.cpu(2);
            runs(cpu2, 2, BINDER, 10.12);
            KernelEvent.binderReceived(7).writeTo(cpu2, at(10.13), BINDER.tid());
            leaves(cpu2, 2, BINDER, 10.2);
            cpu2.schedWakeup(at(72), 0, BINDER, 2);
            runs(cpu2, 2, BINDER, 72.5);
            KernelEvent.binderTransaction(8, true, false).writeTo(cpu2, at(73.3), BINDER.tid());
            cpu2.schedWakeup(at(73.31), BINDER.tid(), MAIN, 0);
            leaves(cpu2, 2, BINDER, 73.6);
        }
        return bytes.toByteArray();
    }

    @Test
    void anOwnerAsleepInNativeCode() throws IOException {
        Diagnosis diagnosis = Doctor.diagnose(
                SceneDiagnoses.read(trace()), DoctorOptions.defaults().withThread("User-Facing Sha"));
        SceneDiagnoses.assertSound(diagnosis);
        assertThat(diagnosis.startNs()).isBetween(ZERO, ZERO + ms(1)); // the boot clock's
        assertThat(diagnosis.incidents()).hasSize(1);
        assertThat(IncidentDump.of(diagnosis.incidents().getFirst())).isEqualTo("""
                blocked 3969 User-Facing Sha 120
                wait    MONITOR 67.107 com.google.android.apps.gsa.speech.audio.aj.read MicrophoneInputStream.java:261 waiters 0
                owner   3879 main 120 OWNER_NAMED android.media.AudioRecord.native_stop AudioRecord.java:-2
                did     BLOCKED 63.160
                did     RUNNING 2.986
                did     SLEEPING 0.909
                did     RUNNABLE 0.052
                verdict SLEEPING_OWNER 62.709 OWNER_NAMED, blames 720
                tree    3879 main 120 RUNNING 0.150
                tree    3879 main 120 waits for BINDER 63.160
                tree      720 Binder:535_1 120 RUNNING 0.050, binder reply
                tree      720 Binder:535_1 120 SLEEPING 61.800, binder reply
                tree      720 Binder:535_1 120 RUNNABLE 0.500
                tree      720 Binder:535_1 120 RUNNING 0.810, binder reply
                tree    3879 main 120 RUNNABLE 0.052
                tree    3879 main 120 RUNNING 0.119
                tree    3879 main 120 SLEEPING 0.909
                tree    3879 main 120 RUNNING 2.680
                tree    3969 User-Facing Sha 120 RUNNABLE 0.004
                tree    3969 User-Facing Sha 120 RUNNING 0.033
                """);
    }
}

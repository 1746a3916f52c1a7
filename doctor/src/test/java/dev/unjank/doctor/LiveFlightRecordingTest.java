package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.write.FtraceCpuWriter;
import dev.unjank.trace.write.PrevState;
import dev.unjank.trace.write.Task;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.zip.GZIPOutputStream;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** This very virtual machine is recorded while its threads wait for one another, and the recording diagnosed. */
class LiveFlightRecordingTest {
    /** The least time for which back is parked. */
    private static final Duration LONG_ENOUGH = Duration.ofMillis(50);

    /** How many times as long as it took until all three waited: what the machine takes to wake them is then little. */
    private static final int TIMES = 10;

    @TempDir
    private Path dir;

    private final Object outer = new Object();
    private final Object inner = new Object();
    private final CountDownLatch innerTaken = new CountDownLatch(1);
    private final CountDownLatch outerTaken = new CountDownLatch(1);
    private final CountDownLatch mayGoOn = new CountDownLatch(1);

    /** Front waits for middle's monitor, middle for back's, and back is parked. */
    private Path record() throws IOException, InterruptedException {
        Path file = dir.resolve("waits.jfr");
        try (Recording recording = new Recording()) {
            recording
                    .enable("jdk.JavaMonitorEnter")
                    .withThreshold(Duration.ZERO)
                    .withStackTrace();
            recording.enable("jdk.ThreadPark").withThreshold(Duration.ZERO).withStackTrace();
            recording.enable("jdk.JVMInformation");
            recording.start();
            long begun = System.nanoTime();
            Thread back = Thread.ofPlatform().name("doctor-back").start(this::holdInnerParked);
            innerTaken.await();
            Thread middle = Thread.ofPlatform().name("doctor-middle").start(this::holdOuterBlocked);
            outerTaken.await();
            Thread front = Thread.ofPlatform().name("doctor-front").start(this::waitForOuter);
            await(back, Thread.State.WAITING);
            await(middle, Thread.State.BLOCKED);
            await(front, Thread.State.BLOCKED);
            long waits = System.nanoTime();
            long until = waits + Math.max(LONG_ENOUGH.toNanos(), TIMES * (waits - begun));
            while (System.nanoTime() < until) {
                Thread.sleep(1);
            }
            mayGoOn.countDown();
            front.join();
            middle.join();
            back.join();
            recording.stop();
            recording.dump(file);
        }
        return file;
    }

    private void holdInnerParked() {
        synchronized (inner) {
            innerTaken.countDown();
            try {
                mayGoOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void holdOuterBlocked() {
        synchronized (outer) {
            outerTaken.countDown();
            synchronized (inner) {
                assertThat(innerTaken.getCount()).isZero();
            }
        }
    }

    private void waitForOuter() {
        synchronized (outer) {
            assertThat(outerTaken.getCount()).isZero();
        }
    }

    private static void await(Thread thread, Thread.State state) throws InterruptedException {
        while (thread.getState() != state) {
            Thread.sleep(1);
        }
    }

    @Test
    void theBlameGoesThroughTheChainOfOwnersToTheOneThatIsParked() throws IOException, InterruptedException {
        Path file = record();
        Path packed = dir.resolve("waits.jfr.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            Files.copy(file, out);
        }
        check(TraceReader.read(file));
        check(TraceReader.read(packed));
    }

    /**
     * Beside the trace of a system, in which the one that is parked is put off its CPU throughout, by a thread that is
     * less important than the one that waits: what the scheduler says wins over what the recording says.
     */
    @Test
    void besideASystemsTraceTheSchedulerSaysWhatOwnersDid() throws IOException, InterruptedException {
        Path recording = record();
        DoctorOptions front = DoctorOptions.defaults().withThread("doctor-front");
        Trace alone = TraceReader.read(recording);
        Wait wait = Doctor.diagnose(alone, front).incidents().getFirst().rootWait();
        long boot = 5_000_000_000_000L;
        long before = wait.startNs() - 1_000_000;
        Path system = dir.resolve("system.pftrace");
        try (OutputStream out = Files.newOutputStream(system);
                TraceWriter writer = new TraceWriter(out, WireFormat.PLAIN)) {
            writer.clockSnapshot(boot, boot, before);
            Task waiting = task(alone, "doctor-front", 120);
            Task parked = task(alone, "doctor-back", 135);
            Task greedy = new Task(4_000_000, "greedy", 125);
            FtraceCpuWriter first = writer.cpu(0);
            first.schedSwitch(boot + 1_000, Task.idle(0), PrevState.RUNNABLE, waiting);
            first.schedSwitch(boot + 1_000_000, waiting, PrevState.SLEEPING, Task.idle(0));
            first.schedSwitch(boot + 1_000_000 + wait.durNs(), Task.idle(0), PrevState.RUNNABLE, waiting);
            FtraceCpuWriter second = writer.cpu(1);
            second.schedSwitch(boot + 1_000, Task.idle(1), PrevState.RUNNABLE, parked);
            second.schedSwitch(boot + 2_000, parked, PrevState.RUNNABLE, greedy);
            second.schedSwitch(boot + 1_000_000 + wait.durNs(), greedy, PrevState.SLEEPING, parked);
        }
        Trace both = TraceReader.read(List.of(system, recording));
        assertThat(both.warnings()).anyMatch(line -> line.contains("by the wall clock"));
        Incident incident = Doctor.diagnose(both, front).incidents().getFirst();
        assertThat(incident.rootWait().thread().priority()).isEqualTo(120);
        assertThat(incident.judgement().responsibleThread().name()).isEqualTo("doctor-back");
        assertThat(incident.judgement().evidence()).isEqualTo(Evidence.OWNER_NAMED);
        assertThat(incident.preemptingThreads().getFirst().thread().name()).isEqualTo("greedy");
        SceneDiagnoses.assertUnboundedInversion(incident, incident.judgement().decisiveNs());
    }

    private static Task task(Trace trace, String name, int priority) {
        for (int utid = 0; utid < trace.threads().size(); utid++) {
            if (name.equals(trace.threads().name(utid))) {
                return new Task(trace.threads().tid(utid), name.substring(0, Math.min(15, name.length())), priority);
            }
        }
        throw new AssertionError("no thread " + name);
    }

    private static void check(Trace trace) {
        Incident incident = Doctor.diagnose(trace, DoctorOptions.defaults().withThread("doctor-front"))
                .incidents()
                .getFirst();
        assertThat(incident.rootWait().durNs()).isGreaterThanOrEqualTo(LONG_ENOUGH.toNanos());
        assertThat(incident.owner().thread().name()).isEqualTo("doctor-middle");
        assertThat(incident.owner().evidence()).isEqualTo(Evidence.OWNER_NAMED);
        assertThat(incident.rootWait().location())
                .isNotNull()
                .satisfies(site ->
                        assertThat(site.method()).isEqualTo(LiveFlightRecordingTest.class.getName() + ".waitForOuter"));
        assertThat(incident.chain()).hasSize(3);
        assertThat(incident.chain().getLast().target()).isEqualTo("CountDownLatch.await");
        Wait further = incident.chain().get(1);
        assertThat(further.longestOwnerInterval().owner().thread().name()).isEqualTo("doctor-back");
        List<String> leaves = new ArrayList<>();
        incident.rootWait()
                .forEachLeaf(leaf -> leaves.add(
                        leaf.thread().name() + " " + leaf.state() + " " + leaf.durNs() + " ns " + leaf.detail()));
        assertThat(incident.verdict()).as("of %s", leaves).isEqualTo(Verdict.SLEEPING_OWNER);
        assertThat(trace.processes()
                        .pid(trace.threads().upid(incident.rootWait().thread().utid())))
                .isEqualTo((int) ProcessHandle.current().pid());
    }
}

package dev.unjank.record.jvm;

import dev.unjank.record.helper.UserFixableException;
import dev.unjank.record.linux.Proc;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.record.session.TraceSink;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The recorded JVM: attach client, agent and time limits, shared by the sources inside the JVM. */
public final class TargetJvm {
    /** A current wait is reported again within 100 ms, or a little later on a busy machine. */
    private static final long STILL_NANOS = 300_000_000;

    private static final Duration GOING = Duration.ofSeconds(2);

    private static final Duration PATIENT_END = Duration.ofSeconds(10);

    private final int pid;
    private final LockOwnerSamples samples = new LockOwnerSamples();
    private final TargetDeadline deadline;
    private @Nullable JvmAttachClient vm;
    private @Nullable JavaThreads threads;
    private volatile @Nullable AgentClient agent;
    private final WaitsAtRecordingEnd waitsAtEnd = new WaitsAtRecordingEnd();
    private volatile String leftovers = "";

    /** Creates a target with limits of ten seconds at the end, for its answers and for reading its data. */
    public TargetJvm(int pid) {
        this(pid, PATIENT_END, PATIENT_END);
    }

    /**
     * Creates a target.
     *
     * @param end the time limit of all waits for the target at the end of the recording
     * @param reading the additional time for reading its data; unread data is missing in the trace
     */
    public TargetJvm(int pid, Duration end, Duration reading) {
        this.pid = pid;
        deadline = new TargetDeadline(pid, end, reading);
    }

    /** Ends the recording, even while it is starting: from now on the end limits apply to waits for the target. Thread-safe. */
    public void hurry() {
        deadline.hurry();
    }

    /** Detaches from the JVM. To be called after the end of all sources; idempotent. */
    synchronized void close() {
        if (vm != null) {
            vm.close();
            vm = null;
        }
    }

    /** Returns the process id. */
    public int pid() {
        return pid;
    }

    /**
     * Creates the sources inside the JVM, in the order in which they must be started.
     *
     * @param threshold the minimum duration of recorded events
     * @param piece the interval of Flight Recorder files; after a kill of the recorder the target stops recording after a few times
     *     this
     */
    public List<RecordingSource> sources(Duration threshold, Duration piece) {
        return List.of(new LockOwnerSource(this), new FlightRecorderSource(this, threshold, piece));
    }

    /** The attach client, created at the first call. */
    synchronized JvmAttachClient vm() throws IOException {
        if (vm == null) {
            vm = JvmAttachClient.attach(pid, deadline);
        }
        return vm;
    }

    /** The result of a source's probe after a failure to attach. */
    static SourceAvailability off(String source, IOException e) {
        String remedy = e instanceof UserFixableException refusal ? refusal.remedy() : null;
        return SourceAvailability.off(source, String.valueOf(e.getMessage()), remedy);
    }

    /** The time limits of requests to the target. */
    TargetDeadline deadline() {
        return deadline;
    }

    /** Whether the process has ended. Waits briefly, because the connections of a process end before the process. */
    boolean hasEnded() {
        try (TargetDeadline.Wait _ = deadline.begin()) {
            ProcessHandle process = ProcessHandle.of(pid).orElse(null);
            if (process != null) {
                process.onExit().get(deadline.rest(GOING).toNanos(), TimeUnit.NANOSECONDS);
            }
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Sets the client of the agent in the target. */
    void agent(AgentClient client) {
        agent = client;
    }

    /** Waits for the agent's last sample, if the recording ends: Flight Recorder must report all waits that end before it. */
    void awaitLastSample() {
        AgentClient asked = agent;
        if (asked != null) {
            try {
                boolean _ = deadline.ask(asked::awaitLastSample);
            } catch (IOException e) {
                // the target does not answer, which later requests report
            }
        }
    }

    /** The waits beyond the end of the recording that Flight Recorder has reported. */
    WaitsAtRecordingEnd waitsAtEnd() {
        return waitsAtEnd;
    }

    /** Flight Recorder recordings with this name prefix could not be stopped. */
    void leaveOpen(String prefix) {
        leftovers = prefix;
    }

    /** The name prefix of recordings that are still open in the target; empty if there are none. */
    String leftovers() {
        return leftovers;
    }

    /** Waits for the JVM to become quiescent, with a timeout. */
    void settle() {
        if (!deadline.isHurrying()) {
            new QuiescenceWait(Proc.SYSTEM, pid).await();
        }
    }

    /** Creates the list of threads, and names the process in the trace. */
    synchronized void threads(TraceSink sink) {
        if (threads == null) {
            threads = new JavaThreads(pid);
            Proc.Info process = Proc.SYSTEM.process(pid);
            if (process != null) {
                sink.process(pid, process.parentPid(), process.name(), true);
            }
        }
    }

    synchronized JavaThreads threads() {
        return Objects.requireNonNull(threads);
    }

    /**
     * The threads that wait for a lock now or did until a moment ago, the longest wait first. Empty unless lock owners are recorded.
     * Thread-safe.
     */
    public List<BlockedThread> blockedNow() {
        JavaThreads known = threadsIfStarted();
        if (known == null) {
            return List.of();
        }
        return samples.goingOn(System.nanoTime() - STILL_NANOS).stream()
                .sorted(Comparator.comparingLong(LockOwnerSample::since))
                .map(sample -> BlockedThread.of(sample, known))
                .toList();
    }

    private synchronized @Nullable JavaThreads threadsIfStarted() {
        return threads;
    }

    LockOwnerSamples samples() {
        return samples;
    }
}

package dev.unjank.record.jvm;

import dev.unjank.record.helper.UserFixableException;
import dev.unjank.record.lifecycle.EndLimits;
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

/** The recorded JVM. Holds what its sources share: the attach client, the client of the agent, and the time limits. */
public final class TargetJvm {
    /**
     * The maximum age of the last sample of a current wait. The agent samples such a wait again within 100 ms, or a
     * little later on a busy machine.
     */
    private static final long STILL_NANOS = 300_000_000;

    private static final Duration GOING = Duration.ofSeconds(2);

    private static final Duration PATIENT_END = Duration.ofSeconds(10);

    private final int pid;
    private final LockOwnerSamples samples = new LockOwnerSamples();
    private final TargetDeadline deadline;
    private @Nullable JvmAttachClient vm;
    private @Nullable IOException attachFailure;
    private @Nullable JavaThreads threads;
    private volatile @Nullable AgentClient agent;
    private final WaitsAtRecordingEnd waitsAtEnd = new WaitsAtRecordingEnd();
    private volatile String leftovers = "";
    private int samplesPerSecond;

    /**
     * Creates a target with two time limits of ten seconds each, which apply when the recording ends: one for its
     * answers, one for reading its data.
     */
    public TargetJvm(int pid) {
        this(pid, PATIENT_END, PATIENT_END);
    }

    /**
     * Creates a target with the time limits of a command, whose recording ends within two seconds even if the target
     * hangs.
     */
    public static TargetJvm endingSoon(int pid) {
        return new TargetJvm(pid, EndLimits.ANSWERS, EndLimits.READING);
    }

    /**
     * Creates a target.
     *
     * @param end the time limit for all waits for the target together, at the end of the recording
     * @param reading the additional time for reading its data; data not read by then is missing in the trace
     */
    public TargetJvm(int pid, Duration end, Duration reading) {
        this.pid = pid;
        deadline = new TargetDeadline(pid, end, reading);
    }

    /**
     * Announces the end of the recording, even while it is still starting: from now on the time limits given to the
     * constructor apply to all waits for the target. Thread-safe.
     */
    public void hurry() {
        deadline.hurry();
    }

    /** Whether {@link #hurry} was called. Thread-safe. */
    public boolean isEnding() {
        return deadline.isHurrying();
    }

    /** Detaches from the JVM. Must be called only when no source uses the JVM any more; idempotent. */
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
     * @param piece the interval at which Flight Recorder starts a new file; if the recorder is killed, the target stops
     *     recording after a few such intervals
     */
    public List<RecordingSource> sources(Duration threshold, Duration piece) {
        return List.of(new LockOwnerSource(this), new FlightRecorderSource(this, threshold, piece));
    }

    /** Also samples the stacks of running threads, so many times per second; must be called before {@link #sources}. */
    public TargetJvm withSamples(int perSecond) {
        samplesPerSecond = perSecond;
        return this;
    }

    /** Returns the rate of stack samples; 0 for none. */
    int samplesPerSecond() {
        return samplesPerSecond;
    }

    /**
     * Returns the attach client. The first call attaches to the JVM. If that fails, further calls fail at once: trying
     * again would take as long, and might make the target print its threads.
     */
    synchronized JvmAttachClient vm() throws IOException {
        if (attachFailure != null) {
            throw attachFailure;
        }
        if (vm == null) {
            try {
                vm = JvmAttachClient.attach(pid, deadline);
            } catch (IOException e) {
                attachFailure = e;
                throw e;
            }
        }
        return vm;
    }

    /** Reports that a source is off because attaching to the JVM failed, with the reason and, if known, a remedy. */
    static SourceAvailability off(String source, IOException e) {
        String remedy = e instanceof UserFixableException refusal ? refusal.remedy() : null;
        return SourceAvailability.off(source, String.valueOf(e.getMessage()), remedy);
    }

    /** Returns the time limits of requests to the target. */
    TargetDeadline deadline() {
        return deadline;
    }

    /**
     * Returns whether the process has ended. Waits briefly, because the connections of a process are closed before the
     * process ends.
     */
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

    /**
     * At the end of the recording, waits for the agent's last sample, so that Flight Recorder then still reports every
     * wait that ended before that sample.
     */
    void awaitLastSample() {
        AgentClient asked = agent;
        if (asked != null) {
            try {
                boolean _ = deadline.ask(asked::awaitLastSample);
            } catch (IOException e) {
                // ignored: the target does not answer, and the next request to it will report that
            }
        }
    }

    /** Waits that Flight Recorder has reported and that last beyond the end of the recording. */
    WaitsAtRecordingEnd waitsAtEnd() {
        return waitsAtEnd;
    }

    /** Sets the name prefix of Flight Recorder recordings that could not be stopped. */
    void leaveOpen(String prefix) {
        leftovers = prefix;
    }

    /**
     * Returns the name prefix of Flight Recorder recordings that could not be stopped in the target; empty if there are
     * none.
     */
    String leftovers() {
        return leftovers;
    }

    /**
     * Waits, with a timeout, until the JVM has finished the work that attaching causes. Returns at once if the
     * recording ends.
     */
    void settle() {
        new QuiescenceWait(Proc.SYSTEM, pid, deadline::isHurrying).await();
    }

    /** Creates the list of threads and writes the name of the process to the trace. Only the first call does so. */
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
     * Returns the threads that wait for a lock now or did until a moment ago, longest wait first. Empty unless lock
     * owners are recorded. Thread-safe.
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

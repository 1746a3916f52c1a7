package dev.unjank.record.jvm;

import dev.unjank.record.helper.UserFixableException;
import dev.unjank.record.lifecycle.Started;
import dev.unjank.record.linux.Proc;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.record.session.TraceSink;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The process that is recorded, shared by the sources that look into its virtual machine. */
public final class TargetJvm {
    /** A wait that goes on is told again within a tenth of a second, or a little later on a busy machine. */
    private static final long STILL_NANOS = 300_000_000;

    private static final Duration GOING = Duration.ofSeconds(2);

    private static final Duration PATIENT_END = Duration.ofSeconds(10);

    private final int pid;
    private final LockOwnerSamples sightings = new LockOwnerSamples();
    private final TargetDeadline patience;
    private @Nullable JvmAttachClient vm;
    private @Nullable JavaThreads threads;
    private volatile @Nullable AgentClient observer;
    private final WaitsAtRecordingEnd crossing = new WaitsAtRecordingEnd();
    private volatile String leftovers = "";

    /**
     * A process, which has ten seconds to hand over what it has when the recording ends, as the recorder has to read that.
     *
     * @param pid its number
     */
    public TargetJvm(int pid) {
        this(pid, PATIENT_END, PATIENT_END);
    }

    /**
     * A process.
     *
     * @param pid its number
     * @param end how long it has to hand over what it has when the recording ends; it may have little more
     * @param reading how much longer the recorder may read what it has got; what it has not read then is missing
     */
    public TargetJvm(int pid, Duration end, Duration reading) {
        this.pid = pid;
        patience = new TargetDeadline(pid, end, reading);
    }

    /** The recording is to end, also if it is still starting: waits for the target are cut short from now on. Any thread. */
    public void hurry() {
        patience.hurry();
    }

    /** Ends what the sources share. To be called when all of them have ended; may be called again. */
    synchronized void close() {
        if (vm != null) {
            vm.close();
            vm = null;
        }
    }

    /**
     * The process's number.
     *
     * @return its pid
     */
    public int pid() {
        return pid;
    }

    /**
     * All that can be recorded from inside a virtual machine, in the order in which it is to be started.
     *
     * @param threshold what took less than this is not recorded
     * @param piece the target hands over what it has recorded so often; a recorder that was killed leaves nothing behind in
     *     the target after a few times this
     * @return the sources
     */
    public List<RecordingSource> sources(Duration threshold, Duration piece) {
        return List.of(new LockOwnerSource(this), new FlightRecorderSource(this, threshold, piece));
    }

    /** The virtual machine, attached to when it is asked for first. */
    synchronized JvmAttachClient vm() throws IOException {
        if (vm == null) {
            vm = JvmAttachClient.attach(pid, patience);
        }
        return vm;
    }

    /** The answer to a source's probe if its virtual machine could not be asked. */
    static SourceAvailability off(String source, IOException e) {
        String remedy = e instanceof UserFixableException refusal ? refusal.remedy() : null;
        return SourceAvailability.off(source, String.valueOf(e.getMessage()), remedy);
    }

    /** Whoever waits for an answer of the target, with how long he does so. */
    TargetDeadline patience() {
        return patience;
    }

    /** Whether the process has ended, or is about to: its connections end a moment before it does. */
    boolean hasEnded() {
        try (TargetDeadline.Wait _ = patience.begin()) {
            ProcessHandle process = ProcessHandle.of(pid).orElse(null);
            if (process != null) {
                process.onExit().get(patience.rest(GOING).toNanos(), TimeUnit.NANOSECONDS);
            }
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** There is an observer in it. */
    void observedBy(AgentClient client) {
        observer = client;
    }

    /** Waits for the observer's last look, if the recording ends and there is one: what is over by then Flight Recorder tells, if it goes on for so long. */
    void awaitLastLook() {
        AgentClient asked = observer;
        if (asked != null) {
            try {
                boolean _ = patience.ask(asked::awaitLastLook);
            } catch (IOException e) {
                // The target does not answer, which is told by those who ask it for more.
            }
        }
    }

    /** Waits across the end of the recording that Flight Recorder has told. */
    WaitsAtRecordingEnd crossing() {
        return crossing;
    }

    /** Recordings of its Flight Recorder could not be ended: their names begin with something. */
    void leave(String prefix) {
        leftovers = prefix;
    }

    /** How the names begin of recordings that are left in it; empty if there are none. */
    String leftovers() {
        return leftovers;
    }

    /** Waits until the virtual machine has done what it takes to be looked into, but not for long. */
    void settle() {
        if (!patience.isHurrying()) {
            new QuiescenceWait(Proc.SYSTEM, pid).await();
        }
    }

    /** Says where the names of the process and its threads go. */
    synchronized void threads(TraceSink sink) {
        if (threads == null) {
            threads = new JavaThreads(pid);
            Proc.Info process = Proc.SYSTEM.process(pid);
            if (process != null) {
                sink.process(pid, process.parentPid(), process.name(), true);
            }
        }
    }

    /** The target's threads. */
    synchronized JavaThreads threads() {
        return Started.required(threads);
    }

    /**
     * Who waits for a lock that another thread has, at this moment or a moment ago. Known where {@link LockOwnerSource} is on.
     * Any thread.
     *
     * @return them, those that have waited for longest first
     */
    public List<BlockedThread> blockedNow() {
        JavaThreads known = threadsIfStarted();
        if (known == null) {
            return List.of();
        }
        return sightings.goingOn(System.nanoTime() - STILL_NANOS).stream()
                .sorted(Comparator.comparingLong(LockOwnerSample::since))
                .map(sighting -> BlockedThread.of(sighting, known))
                .toList();
    }

    private synchronized @Nullable JavaThreads threadsIfStarted() {
        return threads;
    }

    LockOwnerSamples sightings() {
        return sightings;
    }
}

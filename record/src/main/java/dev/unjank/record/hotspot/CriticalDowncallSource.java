package dev.unjank.record.hotspot;

import dev.unjank.record.lifecycle.Cleanup;
import dev.unjank.record.lifecycle.PeriodicThread;
import dev.unjank.record.linux.JvmLibrary;
import dev.unjank.record.linux.Proc;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.record.session.TraceSink;
import dev.unjank.trace.read.jfr.JfrChunks;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Records which threads of a JVM sleep inside critical downcalls of the foreign function API ({@code Linker.Option.critical}). Such a call leaves
 * the thread in state {@code in_Java}, and no safepoint is reached while it lasts. No other thread in that state sleeps in a system call.
 *
 * <p>A recorder thread samples the JVM every {@value #SAMPLE_MILLIS} ms from outside: no code runs in the target, and the target does not
 * wait. A sleep is recorded with the calling method if two samples find it and the thread has not run in between. Calls that run on a CPU
 * are not found.
 */
public final class CriticalDowncallSource implements RecordingSource {
    private static final String NAME = "critical native calls";
    private static final String CATEGORY = "jni";
    private static final int SAMPLE_MILLIS = 10;
    private static final long SAMPLE_NANOS = SAMPLE_MILLIS * 1_000_000L;

    /**
     * The maximum number of consecutive failed samples. A sample may fail while threads start and end; more failures have another cause.
     */
    private static final int MOST_MISSED = 100;

    private final int target;
    private @Nullable ProcessMemory memory;
    private @Nullable SleepingJavaThreads sleepers;
    private @Nullable TraceSink sink;
    private @Nullable PeriodicThread rounds;
    private int missedInARow;
    private long missed;
    private volatile long settledUntil = Long.MIN_VALUE;

    public CriticalDowncallSource(int target) {
        this.target = target;
    }

    @Override
    public SourceAvailability probe() {
        try (JvmLibrary library = JvmLibrary.of(target);
                ProcessMemory read = ProcessMemory.of(target)) {
            VmThreadList threads = new VmThreadList(VmStructs.read(library, read), read);
            threads.inJava((_, _) -> {});
            return SourceAvailability.on(NAME, "calls that sleep for at least 20 ms, with the calling method");
        } catch (AccessDeniedException e) {
            return SourceAvailability.off(NAME, "no permission to read the target's memory", "record as root");
        } catch (IOException e) {
            return SourceAvailability.off(NAME, String.valueOf(e.getMessage()), null);
        }
    }

    @Override
    public void start(TraceSink to) throws IOException {
        sink = to;
        ProcessMemory read = ProcessMemory.of(target);
        try (JvmLibrary library = JvmLibrary.of(target)) {
            VmStructs layout = VmStructs.read(library, read);
            memory = read;
            sleepers = new SleepingJavaThreads(
                    new VmThreadList(layout, read),
                    System.getProperty("os.arch").equals("amd64") ? new StackMethodFinder(layout, read) : null,
                    Proc.SYSTEM,
                    target,
                    System::nanoTime,
                    (tid, since, until, caller) -> to.slice(
                            to.interval().nearest(since),
                            to.interval().nearest(until),
                            target,
                            tid,
                            CATEGORY,
                            caller == null ? JfrChunks.CRITICAL_CALL : JfrChunks.CRITICAL_CALL + " from " + caller));
        } catch (IOException | RuntimeException e) {
            throw Cleanup.after(e).then(read::close).failure();
        }
    }

    @Override
    public void begin() {
        rounds = PeriodicThread.start("critical-calls", this::sample, this::failed);
    }

    private long sample() throws IOException {
        try {
            settledUntil = sleepers().sample();
            missedInARow = 0;
        } catch (IOException e) {
            missed++;
            if (++missedInARow > MOST_MISSED) { // the target has ended, or cannot be read for another reason
                throw e;
            }
        }
        return SAMPLE_NANOS;
    }

    private void failed(Throwable failure) {
        settledUntil = Long.MAX_VALUE;
        if (ProcessHandle.of(target).isPresent()) {
            Objects.requireNonNull(sink).ended(NAME, Cleanup.message(failure));
        }
    }

    private SleepingJavaThreads sleepers() {
        return Objects.requireNonNull(sleepers);
    }

    @Override
    public void stop() throws IOException {
        Cleanup cleanup = new Cleanup();
        if (rounds != null) {
            rounds.stop();
            cleanup.then(sleepers()::end).then(this::noteMissed);
        }
        if (memory != null) {
            cleanup.then(memory::close);
        }
        cleanup.finish();
    }

    private void noteMissed() {
        if (missed > 0) {
            TraceSink to = Objects.requireNonNull(sink);
            long now = to.interval().nearest(System.nanoTime());
            to.write(segment -> segment.note(now, NAME, Map.of("looks missed", missed)));
        }
    }

    @Override
    public long events() {
        return sleepers == null ? 0 : sleepers.count();
    }

    @Override
    public long settledUntil() {
        return settledUntil;
    }
}

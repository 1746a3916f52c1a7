package dev.unjank.record.hotspot;

import dev.unjank.record.lifecycle.Cleanup;
import dev.unjank.record.lifecycle.EndLimits;
import dev.unjank.record.lifecycle.PeriodicThread;
import dev.unjank.record.linux.JvmLibrary;
import dev.unjank.record.linux.Proc;
import dev.unjank.record.linux.TimedRead;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.RevocableSink;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.record.session.TraceSink;
import dev.unjank.trace.read.jfr.JfrChunks;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Records which threads of a JVM sleep inside critical downcalls of the foreign function API ({@code
 * Linker.Option.critical}). Such a call leaves the thread in state {@code in_Java}, and no safepoint is reached while
 * it lasts. No other thread in that state sleeps in a system call.
 *
 * <p>A recorder thread samples the JVM every {@value #SAMPLE_MILLIS} ms from outside: no code runs in the target, and
 * the target does not wait. A sleep is recorded with the calling method if two samples find it and the thread has not
 * run in between. Calls that run on a CPU are not found.
 */
public final class CriticalDowncallSource implements RecordingSource {
    private static final String NAME = "critical native calls";
    private static final String CATEGORY = "jni";
    private static final int SAMPLE_MILLIS = 10;
    private static final long SAMPLE_NANOS = SAMPLE_MILLIS * 1_000_000L;

    /**
     * The maximum number of consecutive failed samples. A sample may fail while threads start and end; more failures
     * have another cause.
     */
    private static final int MOST_MISSED = 100;

    private final int target;
    private final BooleanSupplier isEnding;
    private volatile @Nullable Reader reader;

    /** Revoked when a sample is given up that the target blocks. */
    private @Nullable RevocableSink sink;

    private @Nullable PeriodicThread rounds;
    private int missedInARow;
    private long missed;
    private volatile long settledUntil = Long.MIN_VALUE;

    /** The open memory of the target, and what reads it. */
    record Reader(ProcessMemory memory, SleepingJavaThreads sleepers) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            memory.close();
        }
    }

    /** Opens the memory for a receiver of the sleeps. */
    interface Opening {
        Reader open(SleepingJavaThreads.Taker taker) throws IOException;
    }

    public CriticalDowncallSource(int target) {
        this(target, () -> false);
    }

    /** Creates the source; {@code isEnding} cuts its start short. */
    public CriticalDowncallSource(int target, BooleanSupplier isEnding) {
        this.target = target;
        this.isEnding = isEnding;
    }

    @Override
    public SourceAvailability probe() {
        try (JvmLibrary library = JvmLibrary.of(target, isEnding);
                Reader _ = timed(() -> probed(library))) {
            return SourceAvailability.on(NAME, "calls that sleep for at least 20 ms, with the calling method");
        } catch (AccessDeniedException e) {
            return SourceAvailability.off(NAME, "no permission to read the target's memory", "record as root");
        } catch (IOException e) {
            return SourceAvailability.off(NAME, String.valueOf(e.getMessage()), null);
        }
    }

    private Reader timed(Callable<Reader> opening) throws IOException {
        return TimedRead.within(TimedRead.LONGEST, isEnding, "the memory of process " + target, opening);
    }

    private Reader probed(JvmLibrary library) throws IOException {
        Reader opened = opened(library, (_, _, _, _) -> {});
        try {
            opened.sleepers.sample();
            return opened;
        } catch (IOException | RuntimeException e) {
            throw Cleanup.after(e).then(opened::close).failure();
        }
    }

    private Reader opened(JvmLibrary library, SleepingJavaThreads.Taker taker) throws IOException {
        ProcessMemory memory = ProcessMemory.of(target);
        try {
            VmStructs layout = VmStructs.read(library, memory);
            return new Reader(
                    memory,
                    new SleepingJavaThreads(
                            new VmThreadList(layout, memory),
                            System.getProperty("os.arch").equals("amd64")
                                    ? new StackMethodFinder(layout, memory)
                                    : null,
                            Proc.SYSTEM,
                            target,
                            System::nanoTime,
                            taker));
        } catch (IOException | RuntimeException e) {
            throw Cleanup.after(e).then(memory::close).failure();
        }
    }

    @Override
    public void start(TraceSink to) throws IOException {
        try (JvmLibrary library = JvmLibrary.of(target, isEnding)) {
            start(to, taker -> timed(() -> opened(library, taker)));
        }
    }

    void start(TraceSink to, Opening opening) throws IOException {
        RevocableSink revocable = new RevocableSink(to);
        sink = revocable;
        reader = opening.open((tid, since, until, caller) -> revocable.slice(
                to.interval().nearest(since),
                to.interval().nearest(until),
                target,
                tid,
                CATEGORY,
                caller == null ? JfrChunks.CRITICAL_CALL : JfrChunks.CRITICAL_CALL + " from " + caller));
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
            try {
                Objects.requireNonNull(sink).ended(NAME, Cleanup.message(failure));
            } catch (CancellationException e) {
                // stop() has reported the end
            }
        }
    }

    private SleepingJavaThreads sleepers() {
        return Objects.requireNonNull(reader).sleepers;
    }

    @Override
    public void stop() throws IOException {
        if (rounds != null && !rounds.stop(EndLimits.MEMORY)) {
            RevocableSink revocable = Objects.requireNonNull(sink);
            revocable.ended(NAME, "the process blocks reading of its memory");
            revocable.revoke();
            closeAfter(rounds);
            return;
        }
        Cleanup cleanup = new Cleanup();
        if (rounds != null) {
            cleanup.then(sleepers()::end).then(this::noteMissed);
        }
        Reader opened = reader;
        if (opened != null) {
            cleanup.then(opened::close);
        }
        cleanup.finish();
    }

    /** Closes the memory when the thread that reads it has ended: closing it earlier would wait for the read. */
    private void closeAfter(PeriodicThread abandoned) {
        Thread.ofPlatform().daemon().name("critical-calls-end").start(() -> {
            abandoned.stop();
            try {
                Objects.requireNonNull(reader).close();
            } catch (IOException e) {
                // the memory was only read
            }
        });
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
        Reader opened = reader;
        return opened == null ? 0 : opened.sleepers.count();
    }

    @Override
    public long settledUntil() {
        return settledUntil;
    }
}

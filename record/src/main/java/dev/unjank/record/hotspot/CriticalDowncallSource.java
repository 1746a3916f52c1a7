package dev.unjank.record.hotspot;

import dev.unjank.record.lifecycle.Cleanup;
import dev.unjank.record.lifecycle.PeriodicThread;
import dev.unjank.record.lifecycle.Started;
import dev.unjank.record.linux.JvmLibrary;
import dev.unjank.record.linux.Proc;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.record.session.TraceSink;
import dev.unjank.trace.read.jfr.JfrChunks;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records which threads of a Java virtual machine sleep inside critical calls of the foreign function API ({@code
 * Linker.Option.critical}). Such a call does not tell the machine that the thread has left Java; as long as it lasts, nobody gets past
 * a safepoint. That is how it is known: a thread that is in Java, as the machine has it, does not sleep in the kernel otherwise.
 *
 * <p>A thread of the recorder's looks every {@value #LOOK_MILLIS} ms, from outside: nothing runs in the target, and it does not wait.
 * What is seen twice, without having run in between, is told, and where it was called from. Calls that compute are not seen.
 */
public final class CriticalDowncallSource implements RecordingSource {
    private static final String NAME = "critical native calls";
    private static final String CATEGORY = "jni";
    private static final int LOOK_MILLIS = 10;
    private static final long LOOK_NANOS = LOOK_MILLIS * 1_000_000L;

    /** A look may come at a bad moment, when threads begin and end; so many in a row are more than that. */
    private static final int MOST_MISSED = 100;

    private final int target;
    private @Nullable ProcessMemory memory;
    private @Nullable SleepingJavaThreads sleepers;
    private @Nullable TraceSink sink;
    private @Nullable PeriodicThread rounds;
    private int missedInARow;
    private long missed;
    private volatile long settledUntil = Long.MIN_VALUE;

    /**
     * Will record.
     *
     * @param target the process
     */
    public CriticalDowncallSource(int target) {
        this.target = target;
    }

    @Override
    public SourceAvailability probe() {
        try (JvmLibrary library = JvmLibrary.of(target);
                ProcessMemory read = ProcessMemory.of(target)) {
            VmThreadList threads = new VmThreadList(VmStructs.read(library, read), read);
            threads.inJava((_, _) -> {});
            return SourceAvailability.on(NAME, "those that sleep for 20 ms and more, with the method that called them");
        } catch (AccessDeniedException e) {
            return SourceAvailability.off(NAME, "the target's memory may not be read", "record as root");
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
        rounds = PeriodicThread.start("critical-calls", this::look, this::failed);
    }

    private long look() throws IOException {
        try {
            settledUntil = sleepers().look();
            missedInARow = 0;
        } catch (IOException e) {
            missed++;
            if (++missedInARow > MOST_MISSED) { // the target has ended, or cannot be read for another reason
                throw e;
            }
        }
        return LOOK_NANOS;
    }

    private void failed(Throwable failure) {
        settledUntil = Long.MAX_VALUE;
        if (ProcessHandle.of(target).isPresent()) {
            Started.required(sink).ended(NAME, Cleanup.message(failure));
        }
    }

    private SleepingJavaThreads sleepers() {
        return Started.required(sleepers);
    }

    @Override
    public void stop() throws IOException {
        Cleanup ending = new Cleanup();
        if (rounds != null) {
            rounds.stop();
            ending.then(sleepers()::end).then(this::tellMissed);
        }
        if (memory != null) {
            ending.then(memory::close);
        }
        ending.finish();
    }

    private void tellMissed() {
        if (missed > 0) {
            TraceSink to = Started.required(sink);
            long now = to.interval().nearest(System.nanoTime());
            to.write(segment -> segment.note(now, NAME, Map.of("looks missed", missed)));
        }
    }

    @Override
    public long events() {
        return sleepers == null ? 0 : sleepers.told();
    }

    @Override
    public long settledUntil() {
        return settledUntil;
    }

    @Override
    public long lost() {
        return 0;
    }
}

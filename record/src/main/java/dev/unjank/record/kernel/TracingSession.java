package dev.unjank.record.kernel;

import dev.unjank.record.lifecycle.Cleanup;
import dev.unjank.record.lifecycle.PeriodicThread;
import dev.unjank.record.session.TraceSink;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A session of kernel tracing, in its own instance: opened, begun, ended and stopped in this order, by one thread.
 * Meanwhile a daemon thread reads the buffers about 25 times per second, more often if they fill quickly and less often
 * if the system is idle.
 */
final class TracingSession {
    private static final long PAUSE_NANOS = 40_000_000;
    private static final long SHORT_PAUSE_NANOS = 4_000_000;
    private static final long LONGEST_PAUSE_NANOS = 160_000_000;
    private static final long COUNT_EVERY_NANOS = 500_000_000;

    /**
     * The maximum number of final rounds, more than full buffers need: a bound in case tracing could not be turned off.
     */
    private static final int MOST_TURNS = 64;

    private final String name;
    private final TraceFs fs;
    private final TraceInstance instance;
    private final Handler handler;
    private final Cleanup.Step afterwards;
    private final TraceSink sink;
    private @Nullable PeriodicThread rounds;
    private volatile boolean isEnding;
    private long pause = PAUSE_NANOS;
    private long counted = System.nanoTime();
    private volatile long settledUntil = System.nanoTime();

    private TracingSession(
            String name, TraceFs fs, TraceInstance instance, Handler handler, Cleanup.Step afterwards, TraceSink sink) {
        this.name = name;
        this.fs = fs;
        this.instance = instance;
        this.handler = handler;
        this.afterwards = afterwards;
        this.sink = sink;
    }

    /** Handles the events of a session. */
    interface Handler {
        CpuBufferReader pages();

        /** Called before tracing starts. */
        default void begin() throws IOException {}

        /** Called after reading: all events before {@code until} have been read; {@link Long#MIN_VALUE} if more are to come, {@link
         * Long#MAX_VALUE} at the end. */
        void read(long until) throws IOException;

        /** Called after the lost events have been counted. */
        default void counted() {}

        /** Called after the last read. */
        default void ended() throws IOException {}

        default long events() {
            return pages().events();
        }
    }

    /** Enables events in an instance, and creates their handler. */
    interface Setup {
        Handler in(TraceInstance instance) throws IOException;
    }

    /**
     * Opens a session without starting tracing. If that fails, the instance is removed and the file system released.
     *
     * @param name of the source, for messages
     * @param afterwards runs after the instance has been removed, even if it was never created
     */
    static TracingSession open(
            String name, TraceFs fs, long bytesPerCpu, TraceSink sink, Cleanup.Step afterwards, Setup setup)
            throws IOException {
        try {
            fs.removeStale();
            TraceInstance instance = TraceInstance.create(fs, bytesPerCpu);
            try {
                return new TracingSession(name, fs, instance, setup.in(instance), afterwards, sink);
            } catch (IOException | RuntimeException e) {
                throw Cleanup.after(e).then(instance::close).failure();
            }
        } catch (IOException | RuntimeException e) {
            throw Cleanup.after(e).then(afterwards).then(fs::release).failure();
        }
    }

    void begin() throws IOException {
        handler.begin();
        instance.turnOn();
        settledUntil = System.nanoTime();
        rounds = PeriodicThread.start(name.replace(' ', '-'), this::round, this::failed);
    }

    /** Reads all events that happened before the round began. */
    private long round() throws IOException {
        if (!sink.interval().hasBegun()) {
            return SHORT_PAUSE_NANOS; // earlier events are dropped when the start of the recording is known
        }
        long begun = System.nanoTime();
        int most = handler.pages().drain();
        boolean muchToDo = most >= CpuBufferReader.MUCH;
        handler.read(muchToDo ? Long.MIN_VALUE : begun);
        if (!muchToDo) {
            settledUntil = begun;
        }
        if (System.nanoTime() - counted > COUNT_EVERY_NANOS) {
            counted = System.nanoTime();
            count();
            requireOn();
        }
        pause = most <= 1 ? Math.min(LONGEST_PAUSE_NANOS, pause + pause / 2) : PAUSE_NANOS;
        return muchToDo ? SHORT_PAUSE_NANOS : pause;
    }

    private void requireOn() throws IOException {
        if (!instance.isOn() && !isEnding) {
            throw new IOException("another process has turned tracing off");
        }
    }

    private void failed(Throwable failure) {
        settledUntil = Long.MAX_VALUE;
        sink.ended(name, Cleanup.message(failure));
    }

    private void count() throws IOException {
        handler.pages().count();
        handler.counted();
    }

    /** Stops tracing now. */
    void end() throws IOException {
        isEnding = true;
        try {
            instance.turnOff();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Reads the rest, and removes the instance in any case. A read failure is reported once. */
    void stop() throws IOException {
        isEnding = true;
        if (rounds != null) {
            rounds.stop();
        }
        try {
            new Cleanup()
                    .then(instance::turnOff) // if end() was not called
                    .then(this::readRest)
                    .then(this::count)
                    .then(handler::ended)
                    .finish();
        } catch (IOException e) {
            if (rounds == null || rounds.failure() == null) {
                sink.ended(name, "the last events cannot be read: " + e.getMessage());
            }
        }
        try {
            new Cleanup()
                    .then(instance::close)
                    .then(afterwards)
                    .then(fs::release)
                    .finish();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private void readRest() throws IOException {
        for (int turn = 0; turn < MOST_TURNS && handler.pages().drain() >= CpuBufferReader.MUCH; turn++) {
            handler.read(Long.MIN_VALUE);
        }
        handler.read(Long.MAX_VALUE);
    }

    private IOException failed(IOException e) {
        return new IOException(name + ": " + Cleanup.message(e), e);
    }

    long events() {
        return handler.events();
    }

    long lost() {
        return handler.pages().lost();
    }

    long settledUntil() {
        return settledUntil;
    }
}

package dev.unjank.record.kernel;

import dev.unjank.record.lifecycle.Cleanup;
import dev.unjank.record.lifecycle.PeriodicThread;
import dev.unjank.record.session.TraceSink;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of the kernel's tracing, in an instance of its own: made, begun, ended and removed in this order, by one thread. In
 * between a thread of its own reads what there is, some 25 times a second, more often where the buffers fill quickly, and
 * seldom where hardly anything happens.
 */
final class TracingSession {
    private static final long PAUSE_NANOS = 40_000_000;
    private static final long SHORT_PAUSE_NANOS = 4_000_000;
    private static final long LONGEST_PAUSE_NANOS = 160_000_000;
    private static final long COUNT_EVERY_NANOS = 500_000_000;

    /** Full buffers are read in fewer turns; if tracing could not be turned off there is no end of it. */
    private static final int MOST_TURNS = 64;

    private final String name;
    private final TraceFs fs;
    private final TraceInstance instance;
    private final Work work;
    private final Cleanup.Step afterwards;
    private final TraceSink sink;
    private @Nullable PeriodicThread rounds;
    private volatile boolean isEnding;
    private long pause = PAUSE_NANOS;
    private long counted = System.nanoTime();
    private volatile long settledUntil = System.nanoTime();

    private TracingSession(
            String name, TraceFs fs, TraceInstance instance, Work work, Cleanup.Step afterwards, TraceSink sink) {
        this.name = name;
        this.fs = fs;
        this.instance = instance;
        this.work = work;
        this.afterwards = afterwards;
        this.sink = sink;
    }

    /** What is traced, and what becomes of it. */
    interface Work {
        /** The buffers. */
        CpuBufferReader pages();

        /** Tracing begins with the next step. */
        default void begin() throws IOException {}

        /**
         * Something of the buffers has been read.
         *
         * @param until everything that happened before has been read; {@link Long#MIN_VALUE} if there is more to come
         */
        void read(long until) throws IOException;

        /** What the kernel has lost has been counted. */
        default void counted() {}

        /** All that there was has been read. */
        default void ended() throws IOException {}

        /** How many events there have been. */
        default long events() {
            return pages().events();
        }
    }

    /** Makes what is done in an instance, having switched on there what is to be traced. */
    interface Setup {
        Work in(TraceInstance instance) throws IOException;
    }

    /**
     * Makes an instance that does not trace yet. If that fails, nothing is left of it, and the file system is released.
     *
     * @param name of the source, for messages
     * @param fs where
     * @param bytesPerCpu the size of the buffer of each CPU
     * @param sink where notes go
     * @param afterwards what is to be done when the instance is gone, also if it has never been there
     * @param setup what to do in it
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
        work.begin();
        instance.turnOn();
        settledUntil = System.nanoTime();
        rounds = PeriodicThread.start(name.replace(' ', '-'), this::round, this::failed);
    }

    /** What happened before a round began is in the buffers that it reads. */
    private long round() throws IOException {
        if (!sink.interval().hasBegun()) {
            return SHORT_PAUSE_NANOS; // what there is now is left out, and what is not yet can be told from it later
        }
        long begun = System.nanoTime();
        int most = work.pages().drain();
        boolean muchToDo = most >= CpuBufferReader.MUCH;
        work.read(muchToDo ? Long.MIN_VALUE : begun);
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
            throw new IOException("somebody has turned its tracing off");
        }
    }

    private void failed(Throwable failure) {
        settledUntil = Long.MAX_VALUE;
        sink.ended(name, Cleanup.message(failure));
    }

    private void count() throws IOException {
        work.pages().count();
        work.counted();
    }

    /** Tracing ends at this moment. */
    void end() throws IOException {
        isEnding = true;
        try {
            instance.turnOff();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /**
     * Reads what is left, and removes the instance, which is done whatever becomes of the rest. What cannot be read is told, but for once.
     *
     * @throws IOException if something is left behind
     */
    void stop() throws IOException {
        isEnding = true;
        if (rounds != null) {
            rounds.stop();
        }
        try {
            new Cleanup()
                    .then(instance::turnOff) // if nobody came to end it
                    .then(this::readRest)
                    .then(this::count)
                    .then(work::ended)
                    .finish();
        } catch (IOException e) {
            if (rounds == null || rounds.failure() == null) {
                sink.ended(name, "what happened last cannot be read: " + e.getMessage());
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
        for (int turn = 0; turn < MOST_TURNS && work.pages().drain() >= CpuBufferReader.MUCH; turn++) {
            work.read(Long.MIN_VALUE);
        }
        work.read(Long.MAX_VALUE);
    }

    private IOException failed(IOException e) {
        return new IOException(name + ": " + Cleanup.message(e), e);
    }

    long events() {
        return work.events();
    }

    long lost() {
        return work.pages().lost();
    }

    long settledUntil() {
        return settledUntil;
    }
}

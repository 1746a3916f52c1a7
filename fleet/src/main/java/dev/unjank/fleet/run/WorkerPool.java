package dev.unjank.fleet.run;

import dev.unjank.fleet.input.TraceFile;
import dev.unjank.fleet.task.TraceLimits;
import dev.unjank.fleet.task.TraceResult;
import dev.unjank.fleet.task.TraceWorker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A pool of threads that run a task. Both ends are bounded: the submitting thread waits until a worker is free, and
 * workers wait until their results are taken.
 *
 * <p>Reading a trace cannot be interrupted. A thread whose trace exceeds the time limit is abandoned: the trace counts
 * as failed, another thread replaces this thread, and its result is dropped when it ends.
 */
public final class WorkerPool implements AutoCloseable {
    /** The delay before a trace is abandoned. Statements end by themselves at the time limit, with a better message. */
    private static final long GRACE_NANOS = Duration.ofSeconds(1).toNanos();

    /** The maximum number of rows that wait to be written, some tens of megabytes. */
    private static final long ROWS_WAITING = 50_000;

    private final Supplier<? extends TraceWorker> workers;
    private final TraceLimits limits;
    private final AdmissionGate gate;
    private final LongSupplier nanoTime;
    private final BlockingQueue<Job> waiting;
    private final ResultQueue outcomes = new ResultQueue(ROWS_WAITING);
    private final AtomicReference<@Nullable Attempt>[] running;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicReference<@Nullable Error> broken = new AtomicReference<>();
    private final List<Thread> threads = new ArrayList<>();

    /** A trace, with an action to run when its file is no longer needed. */
    private record Job(TraceFile file, Runnable release) {}

    /** The processing of a trace by a thread. */
    private static final class Attempt {
        private enum State {
            OPEN,
            /** The thread has a result, which is used. */
            DONE,
            /** The time limit was exceeded before. */
            GIVEN_UP
        }

        final Job job;
        final AdmissionGate.Seat seat;
        final long startNanos;
        private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

        Attempt(Job job, AdmissionGate.Seat seat, long startNanos) {
            this.job = job;
            this.seat = seat;
            this.startNanos = startNanos;
        }

        boolean settle(State how) {
            boolean isFirst = state.compareAndSet(State.OPEN, how);
            if (isFirst) {
                seat.leave();
            }
            return isFirst;
        }
    }

    /** Starts threads, each with a worker. */
    WorkerPool(Supplier<? extends TraceWorker> workers, TraceLimits limits, AdmissionGate gate, int size) {
        this(workers, limits, gate, size, System::nanoTime);
    }

    /** A pool with another clock. */
    @SuppressWarnings({"unchecked", "rawtypes"}) // generic array creation
    WorkerPool(
            Supplier<? extends TraceWorker> workers,
            TraceLimits limits,
            AdmissionGate gate,
            int size,
            LongSupplier nanoTime) {
        this.workers = workers;
        this.limits = limits;
        this.gate = gate;
        this.nanoTime = nanoTime;
        waiting = new ArrayBlockingQueue<>(size);
        running = new AtomicReference[size];
        for (int place = 0; place < size; place++) {
            running[place] = new AtomicReference<>();
            start(place);
        }
    }

    private void start(int place) {
        Thread thread = Thread.ofPlatform().daemon().name("fleet-" + place).unstarted(() -> work(running[place]));
        threads.add(thread);
        thread.start();
    }

    private void work(AtomicReference<@Nullable Attempt> place) {
        try (TraceWorker worker = workers.get()) {
            while (true) {
                Job job = waiting.take();
                AdmissionGate.Seat seat = gate.join();
                TraceResult outcome = ask(worker, job, seat, place);
                if (outcome != null && outcome.lacksMemory() && seat.hadOthers()) {
                    outcome = ask(worker, job, gate.alone(), place); // others may have used the memory
                }
                if (outcome == null) {
                    return; // another thread has replaced this one
                }
                job.release.run();
                outcomes.put(outcome);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // by close()
        } catch (Throwable e) { // this trace has no result: without the flag, poll() would wait for it forever
            broken.set(e instanceof Error error ? error : new AssertionError(e));
        }
    }

    /** The result of a trace; null if the trace was abandoned. */
    private @Nullable TraceResult ask(
            TraceWorker worker, Job job, AdmissionGate.Seat seat, AtomicReference<@Nullable Attempt> place) {
        Attempt attempt = new Attempt(job, seat, nanoTime.getAsLong());
        place.set(attempt);
        TraceResult outcome = asked(worker, job.file);
        if (!attempt.settle(Attempt.State.DONE)) {
            gate.stuckEnded();
            return null;
        }
        place.set(null);
        return outcome;
    }

    /** An exception of a worker becomes its trace's failure; the thread continues with other traces. */
    private static TraceResult asked(TraceWorker worker, TraceFile file) {
        try {
            return worker.ask(file);
        } catch (RuntimeException | Error e) {
            return TraceResult.failed(file.name(), file.bytes(), "internal error: " + e, e instanceof OutOfMemoryError);
        }
    }

    /**
     * Submits a trace, and waits until there is room for it. {@code release} runs on any thread when the file is no
     * longer needed.
     */
    void submit(TraceFile file, Runnable release) throws InterruptedException {
        waiting.put(new Job(file, release));
        inFlight.incrementAndGet();
    }

    /** Adds a result that needs no processing. */
    void submit(TraceResult outcome) throws InterruptedException {
        outcomes.put(outcome);
        inFlight.incrementAndGet();
    }

    /** Whether results of submitted traces are outstanding. Call it after the feeder has ended. */
    boolean isBusy() {
        return inFlight.get() > 0;
    }

    /**
     * The next result; null if there is none within the time. Throws the error that has ended a thread, such as an
     * {@link OutOfMemoryError}.
     */
    @Nullable
    TraceResult poll(long millis) throws InterruptedException {
        Error end = broken.get();
        if (end != null) {
            throw end;
        }
        TraceResult timedOut = giveUpOne();
        TraceResult next = timedOut != null ? timedOut : outcomes.poll(millis);
        if (next != null) {
            inFlight.decrementAndGet();
        }
        return next;
    }

    private @Nullable TraceResult giveUpOne() {
        long most = limits.time().toNanos() + GRACE_NANOS;
        long now = nanoTime.getAsLong();
        for (int place = 0; place < running.length; place++) {
            Attempt attempt = running[place].get();
            if (attempt != null && now - attempt.startNanos > most && giveUp(attempt)) {
                running[place].set(null);
                start(place);
                TraceFile file = attempt.job.file;
                return TraceResult.failed(file.name(), file.bytes(), limits.tookLonger());
            }
        }
        return null;
    }

    private boolean giveUp(Attempt attempt) {
        boolean isGivenUp = attempt.settle(Attempt.State.GIVEN_UP);
        if (isGivenUp) {
            gate.giveUp();
            attempt.job.release.run();
        }
        return isGivenUp;
    }

    /** Ends the threads. A thread that is processing a trace ends after it, or with the process. */
    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
        for (AtomicReference<@Nullable Attempt> place : running) {
            Attempt attempt = place.get();
            if (attempt != null) {
                boolean _ = giveUp(attempt); // so that exclusive traces do not wait for it
            }
        }
    }
}

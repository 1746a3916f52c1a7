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
 * Threads that run a task. Both ends are bounded: whoever submits waits until a thread is free, and a thread waits until somebody
 * takes its outcome.
 *
 * <p>Reading a trace cannot be stopped from outside. A thread whose trace has had its time is therefore given up: the trace has
 * failed, another thread takes its place, and it may end by itself, its outcome being of no interest any more.
 */
public final class WorkerPool implements AutoCloseable {
    /** So long after its time a trace is given up, since statements keep the limit by themselves and say so better. */
    private static final long GRACE_NANOS = Duration.ofSeconds(1).toNanos();

    /** So many rows may wait for being written, some tens of megabytes. */
    private static final long ROWS_WAITING = 50_000;

    private final Supplier<? extends TraceWorker> workers;
    private final TraceLimits limits;
    private final AdmissionGate company;
    private final LongSupplier nanoTime;
    private final BlockingQueue<Job> waiting;
    private final ResultQueue outcomes = new ResultQueue(ROWS_WAITING);
    private final AtomicReference<@Nullable Attempt>[] running;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicReference<@Nullable Error> broken = new AtomicReference<>();
    private final List<Thread> threads = new ArrayList<>();

    /** A trace on its way, with what is to be run when nobody needs its file any more. */
    private record Job(TraceFile file, Runnable release) {}

    /** A trace with a thread. */
    private static final class Attempt {
        private enum State {
            OPEN,
            /** Its thread has an outcome, which counts. */
            DONE,
            /** Its time was over before. */
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

    /** Starts as many threads, each with a worker, in the company of others. */
    WorkerPool(Supplier<? extends TraceWorker> workers, TraceLimits limits, AdmissionGate company, int size) {
        this(workers, limits, company, size, System::nanoTime);
    }

    /** With a clock. */
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of generics
    WorkerPool(
            Supplier<? extends TraceWorker> workers,
            TraceLimits limits,
            AdmissionGate company,
            int size,
            LongSupplier nanoTime) {
        this.workers = workers;
        this.limits = limits;
        this.company = company;
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
                AdmissionGate.Seat seat = company.join();
                TraceResult outcome = ask(worker, job, seat, place);
                if (outcome != null && outcome.lacksMemory() && seat.hadCompany()) {
                    outcome = ask(worker, job, company.alone(), place); // others may have had the memory
                }
                if (outcome == null) {
                    return; // another thread is in this place
                }
                job.release.run();
                outcomes.put(outcome);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // by close()
        } catch (Throwable e) { // what it had in hand is lost, and would be waited for in vain
            broken.set(e instanceof Error error ? error : new AssertionError(e));
        }
    }

    /** What a trace says; null if its time was over before. */
    private @Nullable TraceResult ask(
            TraceWorker worker, Job job, AdmissionGate.Seat seat, AtomicReference<@Nullable Attempt> place) {
        Attempt attempt = new Attempt(job, seat, nanoTime.getAsLong());
        place.set(attempt);
        TraceResult outcome = asked(worker, job.file);
        if (!attempt.settle(Attempt.State.DONE)) {
            company.comeBack();
            return null;
        }
        place.set(null);
        return outcome;
    }

    /** What a worker throws is its trace's failure: the thread is still there for the others, and nobody waits for it in vain. */
    private static TraceResult asked(TraceWorker worker, TraceFile file) {
        try {
            return worker.ask(file);
        } catch (RuntimeException | Error e) {
            return TraceResult.failed(file.name(), file.bytes(), "failed inside: " + e, e instanceof OutOfMemoryError);
        }
    }

    /**
     * Hands a trace to the threads, and waits until there is room for it.
     *
     * @param release run when nobody needs the file any more, on any thread
     */
    void submit(TraceFile file, Runnable release) throws InterruptedException {
        waiting.put(new Job(file, release));
        inFlight.incrementAndGet();
    }

    /** Adds an outcome that took no work. */
    void submit(TraceResult outcome) throws InterruptedException {
        outcomes.put(outcome);
        inFlight.incrementAndGet();
    }

    /** Whether there will be outcomes of what has been submitted so far, by whoever has done with that. */
    boolean isBusy() {
        return inFlight.get() > 0;
    }

    /** The next outcome; null if there is none for a moment. Throws what a thread has died of, such as a lack of memory. */
    @Nullable
    TraceResult poll(long millis) throws InterruptedException {
        Error end = broken.get();
        if (end != null) {
            throw end;
        }
        TraceResult late = giveUpOne();
        TraceResult next = late != null ? late : outcomes.poll(millis);
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
            company.giveUp();
            attempt.job.release.run();
        }
        return isGivenUp;
    }

    /** Lets the threads end; those that still work on a trace end with it, or with the process at the latest. */
    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
        for (AtomicReference<@Nullable Attempt> place : running) {
            Attempt attempt = place.get();
            if (attempt != null) {
                boolean _ = giveUp(attempt); // nobody is to wait for it to be alone
            }
        }
    }
}

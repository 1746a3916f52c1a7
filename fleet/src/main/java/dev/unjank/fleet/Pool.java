package dev.unjank.fleet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads that run a task. Both ends are bounded: whoever submits waits until a thread is free, and a thread waits until somebody
 * takes its outcome.
 *
 * <p>Reading a trace cannot be stopped from outside. A thread whose trace has had its time is therefore given up: the trace has
 * failed, another thread takes its place, and it may end by itself, its outcome being of no interest any more.
 */
final class Pool implements AutoCloseable {
    /** So long after its time a trace is given up, since statements keep the limit by themselves and say so better. */
    private static final long GRACE_NANOS = Duration.ofSeconds(1).toNanos();

    /** So many rows may wait for being written, some tens of megabytes. */
    private static final long ROWS_WAITING = 50_000;

    private final Supplier<? extends Worker> workers;
    private final Duration limit;
    private final BlockingQueue<Job> waiting;
    private final OutcomeQueue outcomes = new OutcomeQueue(ROWS_WAITING);
    private final AtomicReference<@Nullable Job>[] running;
    private final AtomicInteger givenUp = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();

    /** Asks traces, on one thread. */
    @FunctionalInterface
    interface Worker extends AutoCloseable {
        Outcome ask(TraceFile file);

        /** Gives back what it has kept from trace to trace; on the same thread. */
        @Override
        default void close() {}
    }

    /** A trace on its way. */
    private static final class Job {
        private enum State {
            OPEN,
            /** Its thread has an outcome, which counts. */
            DONE,
            /** Its time was over before. */
            GIVEN_UP
        }

        final TraceFile file;
        final Runnable release;
        volatile long startNanos;
        private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

        Job(TraceFile file, Runnable release) {
            this.file = file;
            this.release = release;
        }

        boolean settle(State how) {
            return state.compareAndSet(State.OPEN, how);
        }
    }

    /** Starts as many threads, each with a worker, which may take so long for a trace. */
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of generics
    Pool(Supplier<? extends Worker> workers, Duration limit, int size) {
        this.workers = workers;
        this.limit = limit;
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

    private void work(AtomicReference<@Nullable Job> place) {
        try (Worker worker = workers.get()) {
            while (true) {
                Job job = waiting.take();
                job.startNanos = System.nanoTime();
                place.set(job);
                Outcome outcome = worker.ask(job.file);
                if (!job.settle(Job.State.DONE)) {
                    givenUp.decrementAndGet();
                    return; // another thread is in this place
                }
                place.set(null);
                job.release.run();
                outcomes.put(outcome);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // by close()
        }
    }

    /**
     * Hands a trace to the threads, and waits until there is room for it.
     *
     * @param release run when nobody needs the file any more, on any thread
     */
    void submit(TraceFile file, Runnable release) throws InterruptedException {
        inFlight.incrementAndGet();
        waiting.put(new Job(file, release));
    }

    /** Adds an outcome that took no work. */
    void submit(Outcome outcome) throws InterruptedException {
        inFlight.incrementAndGet();
        outcomes.put(outcome);
    }

    /** Whether there will be outcomes of what has been submitted so far. */
    boolean isBusy() {
        return inFlight.get() > 0;
    }

    /** The next outcome; null if there is none for a moment. */
    @Nullable
    Outcome poll(long millis) throws InterruptedException {
        Outcome late = giveUpOne();
        Outcome next = late != null ? late : outcomes.poll(millis);
        if (next != null) {
            inFlight.decrementAndGet();
        }
        return next;
    }

    private @Nullable Outcome giveUpOne() {
        long most = limit.toNanos() + GRACE_NANOS;
        long now = System.nanoTime();
        for (int place = 0; place < running.length; place++) {
            Job job = running[place].get();
            if (job != null && now - job.startNanos > most && job.settle(Job.State.GIVEN_UP)) {
                givenUp.incrementAndGet();
                running[place].set(null);
                job.release.run();
                start(place);
                return Outcome.failed(job.file.name(), job.file.bytes(), "took longer than " + seconds(limit));
            }
        }
        return null;
    }

    private static String seconds(Duration time) {
        return time.toMillis() % 1_000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }

    /** How many threads still work on traces that were given up. */
    int stuck() {
        return givenUp.get();
    }

    /** Lets the threads end; those that were given up end with the process at the latest. */
    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
    }
}

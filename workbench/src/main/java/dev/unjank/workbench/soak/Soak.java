package dev.unjank.workbench.soak;

import dev.unjank.looper.QueueKind;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A soak test: runs rounds until it is stopped. Deterministic and multi-threaded rounds alternate; each runs on every
 * selected kind of queue. One thread runs it; any thread may query or stop it.
 */
public final class Soak {
    public static final int MAX_THREADS = 64;

    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    /** The number of rounds after which ended loopers are checked for leaks. */
    private static final int ROUNDS_PER_COLLECTION = 256;

    private static final int COLLECTIONS = 20;
    private static final long COLLECTION_PAUSE_MILLIS = 20;

    private final List<QueueKind> kinds;
    private final int threads;
    private final LooperOperations door;
    private final long patienceNanos;
    private final List<WeakReference<Object>> ended = new ArrayList<>();

    private volatile boolean stopped;
    private volatile long rounds;
    private volatile long operations;
    private volatile long findings;

    /**
     * Creates a soak test.
     *
     * @param threads the maximum number of concurrent threads besides the looper; 1 to {@value #MAX_THREADS}
     */
    public Soak(List<QueueKind> kinds, int threads) {
        this(kinds, threads, new LooperOperations(), PATIENCE_NANOS);
    }

    Soak(List<QueueKind> kinds, int threads, LooperOperations door, long patienceNanos) {
        if (threads < 1 || threads > MAX_THREADS) {
            throw new IllegalArgumentException("threads: " + threads);
        }
        this.kinds = List.copyOf(kinds);
        this.threads = threads;
        this.door = door;
        this.patienceNanos = patienceNanos;
    }

    /** Scatters a seed (the finalizer of SplitMix64). */
    static long mix(long seed) {
        long z = (seed ^ (seed >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** The seed of the next round. Deterministic and multi-threaded rounds alternate. */
    static long next(long seed) {
        long mixed = mix(seed + GOLDEN) & Long.MAX_VALUE;
        return isConcurrent(mixed) == isConcurrent(seed) ? mixed ^ 1 : mixed;
    }

    /** Whether the round of a seed is multi-threaded, so that a replay may differ. */
    public static boolean isConcurrent(long seed) {
        return (seed & 1) != 0;
    }

    /** Runs the round of this seed and its successors, until {@link #stop()}. */
    public void run(long firstSeed, Consumer<SoakFailure> found) throws InterruptedException {
        for (long seed = firstSeed; !stopped; seed = next(seed)) {
            play(seed, found);
            if (rounds % ROUNDS_PER_COLLECTION == 0) {
                collect(seed, found);
            }
        }
        ended.clear();
    }

    /** Replays one round: once if it is deterministic, else until it has failed or {@link #stop()} is called. */
    public void replay(long seed, Consumer<SoakFailure> found) throws InterruptedException {
        do {
            play(seed, found);
            ended.clear();
        } while (isConcurrent(seed) && !stopped && findings == 0);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // written by this thread only
    void play(long seed, Consumer<SoakFailure> found) throws InterruptedException {
        for (QueueKind kind : kinds) {
            try {
                operations +=
                        isConcurrent(seed) ? playConcurrent(seed, kind) : new SequentialRound(seed, kind, door).play();
            } catch (SoakFailure.Failure e) {
                findings++;
                found.accept(new SoakFailure(seed, kind, isConcurrent(seed), String.valueOf(e.getMessage())));
            }
            rounds++;
        }
    }

    private long playConcurrent(long seed, QueueKind kind) throws InterruptedException {
        ConcurrentRound round = new ConcurrentRound(seed, kind, door, threads, patienceNanos);
        long played = round.play();
        for (LooperLifetime generation : round.generations()) {
            ended.add(new WeakReference<>(generation.looper));
            ended.add(new WeakReference<>(generation));
        }
        return played;
    }

    /** Checks that ended loopers and their messages have been garbage-collected. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // written by this thread only
    private void collect(long seed, Consumer<SoakFailure> found) throws InterruptedException {
        for (int i = 0; i < COLLECTIONS && !ended.isEmpty(); i++) {
            System.gc();
            ended.removeIf(reference -> reference.refersTo(null));
            if (!ended.isEmpty()) {
                Thread.sleep(COLLECTION_PAUSE_MILLIS);
            }
        }
        if (!ended.isEmpty()) {
            findings++;
            String what = ended.size() + " objects of ended loopers are still alive, such as "
                    + ended.getFirst().get();
            found.accept(new SoakFailure(seed, kinds.getLast(), true, what));
            ended.clear();
        }
    }

    /** Stops after the current round. Any thread. */
    public void stop() {
        stopped = true;
    }

    /** Returns the number of rounds so far. Any thread. */
    public long rounds() {
        return rounds;
    }

    /** The operations of all ended rounds, including deliveries. Any thread. */
    public long operations() {
        return operations;
    }

    /** Returns the number of failures so far. Any thread. */
    public long findings() {
        return findings;
    }
}

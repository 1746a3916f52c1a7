package dev.unjank.workbench.soak;

import dev.unjank.looper.QueueKind;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Round after round until it is stopped. Deterministic rounds and rounds of many threads take turns; each is played on every kind
 * of queue that was asked for. Made, run and asked by any thread; run by one.
 */
public final class Soak {
    public static final int MAX_THREADS = 64;

    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    /** After so many rounds it is seen whether ended loopers have gone. */
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
     * Makes a soak.
     *
     * @param threads the most threads that act at once, beside the looper; 1 to {@value #MAX_THREADS}
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

    /** The seed of the round that follows, which is of the other sort. */
    static long next(long seed) {
        long mixed = mix(seed + GOLDEN) & Long.MAX_VALUE;
        return isConcurrent(mixed) == isConcurrent(seed) ? mixed ^ 1 : mixed;
    }

    /** True if the round of a seed has many threads, and need not go the same way again. */
    public static boolean isConcurrent(long seed) {
        return (seed & 1) != 0;
    }

    /** Plays the round of this seed, and then the rounds that follow from it, until {@link #stop()}. */
    public void run(long firstSeed, Consumer<SoakFailure> found) throws InterruptedException {
        for (long seed = firstSeed; !stopped; seed = next(seed)) {
            play(seed, found);
            if (rounds % ROUNDS_PER_COLLECTION == 0) {
                collect(seed, found);
            }
        }
        ended.clear();
    }

    /** Plays one round again: once if it is deterministic, else until it has failed or {@link #stop()} is called. */
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

    /** Loopers that have ended, and with them all that was sent to them, must be gone. */
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

    /** Lets the present round be the last. Any thread. */
    public void stop() {
        stopped = true;
    }

    /** Returns how many rounds have been played so far. Any thread. */
    public long rounds() {
        return rounds;
    }

    /** The operations of all rounds that have ended, deliveries included. Any thread. */
    public long operations() {
        return operations;
    }

    /** Returns how much was found so far. Any thread. */
    public long findings() {
        return findings;
    }
}

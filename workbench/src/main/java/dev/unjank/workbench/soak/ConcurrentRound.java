package dev.unjank.workbench.soak;

import dev.unjank.looper.Handler;
import dev.unjank.looper.Message;
import dev.unjank.looper.QueueKind;
import dev.unjank.workbench.soak.TimedCalls.Match;
import dev.unjank.workbench.soak.TimedCalls.Question;
import dev.unjank.workbench.soak.TimedCalls.Removal;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A multi-threaded round: threads use a real loop randomly, end it, and continue with the next one; then all calls are
 * checked.
 */
final class ConcurrentRound {
    static final int OPERATIONS = 250;
    static final int CODES = 4;
    static final int BOARD = 64;
    private static final int MAX_GENERATIONS = 5;
    static final long FAR_MILLIS = 100_000;
    /** The average number of rounds per bulk operation. */
    private static final int ROUNDS_PER_CROWD = 6;

    private static final long POLL_NANOS = 50_000;

    private final long seed;
    private final QueueKind kind;
    final LooperOperations door;
    private final long patienceNanos;
    private final int threads;
    /** The operation before which the first thread runs a bulk operation; may be beyond the last one. */
    final int crowdAt;

    final Object[] tokens = {"red", "green"};
    final Runnable[] callbacks = {() -> {}, () -> {}};

    private final List<ConcurrentActor> actors = new ArrayList<>();
    private final List<LooperLifetime> generations = new CopyOnWriteArrayList<>();
    /** Recent messages, which any thread may cancel. */
    final AtomicReferenceArray<@Nullable SentMessage> board = new AtomicReferenceArray<>(BOARD);

    private final Queue<String> findings = new ConcurrentLinkedQueue<>();
    private volatile LooperLifetime current;

    ConcurrentRound(long seed, QueueKind kind, LooperOperations door, int maxThreads, long patienceNanos) {
        this.seed = seed;
        this.kind = kind;
        this.door = door;
        this.patienceNanos = patienceNanos;
        // with few threads the looper sleeps more often, with many they contend more often
        SplittableRandom random = new SplittableRandom(seed);
        this.crowdAt = random.nextInt(ROUNDS_PER_CROWD * OPERATIONS);
        // with many senders the looper does not sleep long enough for a bulk operation
        boolean alone = crowdAt < OPERATIONS && random.nextBoolean();
        this.threads = alone ? 1 : 1 + random.nextInt(maxThreads);
        this.current = newGeneration();
    }

    private LooperLifetime newGeneration() {
        LooperLifetime generation = new LooperLifetime(generations.size(), kind, door, this::whenRun);
        generations.add(generation);
        return generation;
    }

    /** Runs the round; returns the number of operations. */
    long play() throws InterruptedException {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            actors.add(new ConcurrentActor(this, i, Soak.mix(seed + i)));
        }
        for (ConcurrentActor actor : actors) {
            all.add(Thread.ofPlatform().daemon().name("actor " + actor.index).start(actor));
        }
        for (Thread thread : all) {
            thread.join(TimeUnit.NANOSECONDS.toMillis(patienceNanos) * 2);
            if (thread.isAlive()) {
                throw new SoakFailure.Failure("a thread does not end: " + stackOf(thread));
            }
        }
        if (findings.isEmpty()) {
            finish();
        }
        if (!findings.isEmpty()) {
            throw new SoakFailure.Failure(
                    String.join("\n", findings.stream().limit(5).toList()));
        }
        long total = 0;
        for (ConcurrentActor actor : actors) {
            total += actor.operations;
        }
        for (LooperLifetime generation : generations) {
            total += generation.log.size();
        }
        return total;
    }

    /** The loopers of this round, all of which have ended. */
    List<LooperLifetime> generations() {
        return generations;
    }

    // ---- for the actors

    LooperLifetime current() {
        return current;
    }

    /** Whether the round may start another looper. */
    boolean mayGoOn() {
        return generations.size() < MAX_GENERATIONS;
    }

    /** Starts the next looper; called by the thread that has quit the current one. */
    void goOn() {
        current = newGeneration();
    }

    void fail(String finding) {
        findings.add(finding);
    }

    boolean hasFailed() {
        return !findings.isEmpty();
    }

    // ---- the end

    private void finish() throws InterruptedException {
        LooperLifetime last = current;
        await(last, "due messages are run", () -> last.looper.getQueue().isIdle());
        CountDownLatch settled = new CountDownLatch(1);
        last.pings.sendMessageAtFrontOfQueue(Message.obtain(null, () -> {
            settle(last);
            settled.countDown();
        }));
        await(last, "a message to the front is run", () -> settled.getCount() == 0);
        last.quit((seed & 2) == 0);
        for (LooperLifetime generation : generations) {
            generation.thread.join(TimeUnit.NANOSECONDS.toMillis(patienceNanos));
            if (generation.thread.isAlive()) {
                findings.add("a loop does not end after quit: " + stackOf(generation.thread));
                return;
            }
        }
        for (LooperLifetime generation : generations) {
            new RoundChecker(generation, sentTo(generation), findings::add).judge();
        }
    }

    /** Records the pending messages, on the looper's thread. */
    private void settle(LooperLifetime last) {
        for (Handler handler : last.handlers) {
            for (int what = 0; what < CODES; what++) {
                ask(last, new Match(handler, what, null, null));
            }
        }
        for (SentMessage one : sentTo(last)) {
            Message message = one.message;
            one.pending = one.accepted && message != null && message.cancel();
        }
        last.settled = true;
    }

    @SuppressWarnings("ReferenceEquality") // loopers are compared by identity
    private List<SentMessage> sentTo(LooperLifetime generation) {
        List<SentMessage> all = new ArrayList<>(generation.ownSent);
        for (ConcurrentActor actor : actors) {
            actor.sent.stream().filter(one -> one.generation == generation).forEach(all::add);
        }
        return all;
    }

    /** Waits for a condition that must become true without waking a thread. */
    void await(LooperLifetime generation, String what, BooleanSupplier happened) {
        long start = System.nanoTime();
        while (!happened.getAsBoolean()) {
            if (System.nanoTime() - start > patienceNanos) {
                throw new SoakFailure.Failure("not within " + TimeUnit.NANOSECONDS.toMillis(patienceNanos) + " ms: "
                        + what + "; the looper: " + stackOf(generation.thread) + dumpOf(generation));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private static String stackOf(Thread thread) {
        StringBuilder text = new StringBuilder(thread.getName() + ", " + thread.getState());
        for (StackTraceElement element : thread.getStackTrace()) {
            text.append("\n    at ").append(element);
        }
        return text.toString();
    }

    private static String dumpOf(LooperLifetime generation) {
        StringBuilder text = new StringBuilder();
        generation.looper.dump(line -> text.append('\n').append(line), "    ");
        return text.toString();
    }

    // ---- the looper's thread

    @SuppressWarnings("ReferenceEquality") // handlers are compared by identity
    private void whenRun(SentMessage run) {
        LooperLifetime generation = run.generation;
        if (run.number % 8 == 3 && run.sender < threads) {
            SentMessage child = new SentMessage(
                    generation, threads, generation.ownSent.size(), run.handler, run.what, run.token, null, false);
            generation.ownSent.add(child);
            generation.send(child, () -> child.handler.sendMessage(messageOf(child)));
        }
        if (run.number % 32 == 5 && run.handler != generation.pings) {
            remove(generation, threads, new Match(run.handler, run.what, null, null));
        }
    }

    static Message messageOf(SentMessage sent) {
        Message message = Message.obtain(sent.handler, sent.callback);
        message.what = sent.what;
        message.obj = sent.token;
        return message;
    }

    void remove(LooperLifetime generation, int thread, Match match) {
        long start = generation.now();
        if (match.callback() != null) {
            door.removeCallbacks(match.handler(), match.callback(), match.token());
        } else if (match.what() != null) {
            door.removeMessages(match.handler(), match.what(), match.token());
        } else {
            door.removeCallbacksAndMessages(match.handler(), match.token());
        }
        generation.removals.add(new Removal(thread, match, start, generation.now()));
    }

    void ask(LooperLifetime generation, Match match) {
        long start = generation.now();
        boolean answer = match.callback() != null
                ? match.handler().hasCallbacks(match.callback())
                : door.has(match.handler(), match.what() == null ? 0 : match.what(), match.token());
        generation.questions.add(new Question(match, answer, start, generation.now()));
    }
}

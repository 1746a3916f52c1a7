package dev.unjank.proof.soak;

import dev.unjank.looper.Handler;
import dev.unjank.looper.Message;
import dev.unjank.looper.QueueKind;
import dev.unjank.proof.soak.Calls.Barrier;
import dev.unjank.proof.soak.Calls.Match;
import dev.unjank.proof.soak.Calls.Question;
import dev.unjank.proof.soak.Calls.Removal;
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

/** Many threads do what comes to their minds with a real loop, end it, and go on with the next one; then all of it is judged. */
final class ConcurrentRound {
    private static final int OPERATIONS = 250;
    static final int CODES = 4;
    private static final int BOARD = 64;
    private static final int MAX_GENERATIONS = 5;
    static final long FAR_MILLIS = 100_000;
    /** One round in so many has a crowd. */
    private static final int ROUNDS_PER_CROWD = 6;

    private static final long POLL_NANOS = 50_000;

    private final long seed;
    private final QueueKind kind;
    final Door door;
    private final long patienceNanos;
    private final int threads;
    /** Before which operation the first thread gathers a crowd; maybe never. */
    private final int crowdAt;

    private final Object[] tokens = {"red", "green"};
    private final Runnable[] callbacks = {() -> {}, () -> {}};

    private final List<List<Sent>> sent = new ArrayList<>();
    private final List<Generation> generations = new CopyOnWriteArrayList<>();
    /** Recent messages, for anyone to cancel. */
    private final AtomicReferenceArray<@Nullable Sent> board = new AtomicReferenceArray<>(BOARD);

    private final Queue<String> findings = new ConcurrentLinkedQueue<>();
    private final long[] operations;
    private volatile Generation current;

    ConcurrentRound(long seed, QueueKind kind, Door door, int maxThreads, long patienceNanos) {
        this.seed = seed;
        this.kind = kind;
        this.door = door;
        this.patienceNanos = patienceNanos;
        // few threads let the looper sleep more often, many let them meet more often
        SplittableRandom random = new SplittableRandom(seed);
        this.crowdAt = random.nextInt(ROUNDS_PER_CROWD * OPERATIONS);
        // a looper that many send to does not sleep for as long as a crowd takes to gather
        boolean alone = crowdAt < OPERATIONS && random.nextBoolean();
        this.threads = alone ? 1 : 1 + random.nextInt(maxThreads);
        this.operations = new long[threads];
        this.current = newGeneration();
    }

    private Generation newGeneration() {
        Generation generation = new Generation(generations.size(), kind, door, this::whenRun);
        generations.add(generation);
        return generation;
    }

    /** Plays the round; returns how many operations it had. */
    long play() throws InterruptedException {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            sent.add(new ArrayList<>());
        }
        for (int i = 0; i < threads; i++) {
            Actor actor = new Actor(i);
            all.add(Thread.ofPlatform().daemon().name("actor " + i).start(actor));
        }
        for (Thread thread : all) {
            thread.join(TimeUnit.NANOSECONDS.toMillis(patienceNanos) * 2);
            if (thread.isAlive()) {
                throw new Finding.Failure("a thread does not come back: " + stackOf(thread));
            }
        }
        if (findings.isEmpty()) {
            finish();
        }
        if (!findings.isEmpty()) {
            throw new Finding.Failure(
                    String.join("\n", findings.stream().limit(5).toList()));
        }
        long total = 0;
        for (long of : operations) {
            total += of;
        }
        for (Generation generation : generations) {
            total += generation.log.size();
        }
        return total;
    }

    /** The loopers of this round, all of which have ended. */
    List<Generation> generations() {
        return generations;
    }

    // ---- the end

    private void finish() throws InterruptedException {
        Generation last = current;
        await(last, "what is due is run", () -> last.looper.getQueue().isIdle());
        CountDownLatch settled = new CountDownLatch(1);
        last.pings.sendMessageAtFrontOfQueue(Message.obtain(null, () -> {
            settle(last);
            settled.countDown();
        }));
        await(last, "a message to the front is run", () -> settled.getCount() == 0);
        last.quit((seed & 2) == 0);
        for (Generation generation : generations) {
            generation.thread.join(TimeUnit.NANOSECONDS.toMillis(patienceNanos));
            if (generation.thread.isAlive()) {
                findings.add("a loop does not end after quit: " + stackOf(generation.thread));
                return;
            }
        }
        for (Generation generation : generations) {
            new Judge(generation, sentTo(generation), findings::add).judge();
        }
    }

    /** On the looper's thread: what waits now? */
    private void settle(Generation last) {
        for (Handler handler : last.handlers) {
            for (int what = 0; what < CODES; what++) {
                ask(last, new Match(handler, what, null, null));
            }
        }
        for (Sent one : sentTo(last)) {
            Message message = one.message;
            one.pending = one.accepted && message != null && message.cancel();
        }
        last.settled = true;
    }

    @SuppressWarnings("ReferenceEquality") // generations are themselves
    private List<Sent> sentTo(Generation generation) {
        List<Sent> all = new ArrayList<>(generation.ownSent);
        for (List<Sent> ofOne : sent) {
            ofOne.stream().filter(one -> one.generation == generation).forEach(all::add);
        }
        return all;
    }

    /** Waits for something that nothing must keep from happening, without waking anybody. */
    void await(Generation generation, String what, BooleanSupplier happened) {
        long start = System.nanoTime();
        while (!happened.getAsBoolean()) {
            if (System.nanoTime() - start > patienceNanos) {
                throw new Finding.Failure("not within " + TimeUnit.NANOSECONDS.toMillis(patienceNanos) + " ms: " + what
                        + "; the looper: " + stackOf(generation.thread) + dumpOf(generation));
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

    private static String dumpOf(Generation generation) {
        StringBuilder text = new StringBuilder();
        generation.looper.dump(line -> text.append('\n').append(line), "    ");
        return text.toString();
    }

    // ---- the looper's thread

    @SuppressWarnings("ReferenceEquality") // handlers are themselves
    private void whenRun(Sent run) {
        Generation generation = run.generation;
        if (run.number % 8 == 3 && run.sender < threads) {
            Sent child = new Sent(
                    generation, threads, generation.ownSent.size(), run.handler, run.what, run.token, null, false);
            generation.ownSent.add(child);
            generation.send(child, () -> child.handler.sendMessage(messageOf(child)));
        }
        if (run.number % 32 == 5 && run.handler != generation.pings) {
            remove(generation, threads, new Match(run.handler, run.what, null, null));
        }
    }

    static Message messageOf(Sent sent) {
        Message message = Message.obtain(sent.handler, sent.callback);
        message.what = sent.what;
        message.obj = sent.token;
        return message;
    }

    void remove(Generation generation, int thread, Match match) {
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

    void ask(Generation generation, Match match) {
        long start = generation.now();
        boolean answer = match.callback() != null
                ? match.handler().hasCallbacks(match.callback())
                : door.has(match.handler(), match.what() == null ? 0 : match.what(), match.token());
        generation.questions.add(new Question(match, answer, start, generation.now()));
    }

    // ---- the other threads

    /** One thread, whose operations follow from the seed. */
    final class Actor implements Runnable {
        final int index;
        final SplittableRandom random;

        Actor(int index) {
            this.index = index;
            this.random = new SplittableRandom(Soak.mix(seed + index));
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < OPERATIONS && findings.isEmpty(); i++) {
                    operations[index]++;
                    if (index == 0 && i == crowdAt) {
                        operations[index] += new ConcurrentCrowd(ConcurrentRound.this, this, current).gather();
                    }
                    act(current);
                }
            } catch (RuntimeException | Error e) {
                findings.add(
                        e instanceof Finding.Failure
                                ? String.valueOf(e.getMessage())
                                : e + " at " + e.getStackTrace()[0]);
            }
        }

        private void act(Generation generation) {
            switch (random.nextInt(32)) {
                case 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 -> send(generation);
                case 12, 13 -> sendToFront(generation);
                case 14, 15, 16 -> remove(generation, index, anyMatch(generation));
                case 17, 18 -> cancel();
                case 19, 20 -> ask(generation, anyQuestion(generation));
                case 21, 22 -> holdUp(generation);
                case 23, 24, 25 -> ping(generation, false);
                case 26 -> addIdleHandler(generation);
                case 27 -> quit(generation);
                case 28, 29 -> LockSupport.parkNanos(random.nextInt(300_000));
                default -> {
                    for (int i = random.nextInt(500); i > 0; i--) {
                        Thread.onSpinWait();
                    }
                }
            }
        }

        private Sent newSent(Generation generation, Handler handler) {
            boolean callback = random.nextInt(3) == 0;
            Sent one = new Sent(
                    generation,
                    index,
                    sent.get(index).size(),
                    handler,
                    callback ? 0 : random.nextInt(CODES),
                    anyToken(),
                    callback ? callbacks[random.nextInt(callbacks.length)] : null,
                    random.nextInt(4) == 0);
            sent.get(index).add(one);
            return one;
        }

        private @Nullable Object anyToken() {
            return random.nextInt(3) == 0 ? null : tokens[random.nextInt(tokens.length)];
        }

        private Handler anyHandler(Generation generation) {
            return generation.handlers[random.nextInt(generation.handlers.length)];
        }

        /** A record of what is sent apart from everything else. */
        Sent newSent(Generation generation, Handler handler, int what, boolean asynchronous) {
            Sent one = new Sent(generation, index, sent.get(index).size(), handler, what, null, null, asynchronous);
            sent.get(index).add(one);
            return one;
        }

        private void send(Generation generation) {
            Sent one = newSent(generation, anyHandler(generation));
            Handler handler = one.handler;
            int way = random.nextInt(8);
            long delay = random.nextInt(4);
            long now = TimeUnit.NANOSECONDS.toMillis(generation.now());
            Runnable callback = one.callback;
            generation.send(one, () -> switch (way) {
                case 0, 1 -> handler.sendMessageDelayed(messageOf(one), delay);
                case 2 -> handler.sendMessageAtTime(messageOf(one), now - delay);
                case 3 -> handler.sendMessageDelayed(messageOf(one), FAR_MILLIS + delay);
                case 4 ->
                    callback != null
                            ? handler.postDelayed(callback, one.token, delay)
                            : handler.sendMessage(messageOf(one));
                default -> handler.sendMessage(messageOf(one));
            });
            board.set(random.nextInt(BOARD), one);
        }

        private void sendToFront(Generation generation) {
            Sent one = newSent(generation, anyHandler(generation));
            generation.sendToFront(one, messageOf(one));
        }

        private Match anyMatch(Generation generation) {
            Handler handler = anyHandler(generation);
            return switch (random.nextInt(8)) {
                case 0 -> new Match(handler, null, null, anyToken());
                case 1, 2 -> new Match(handler, null, callbacks[random.nextInt(callbacks.length)], anyToken());
                default -> new Match(handler, random.nextInt(CODES), null, anyToken());
            };
        }

        private Match anyQuestion(Generation generation) {
            Handler handler = anyHandler(generation);
            return random.nextInt(3) == 0
                    ? new Match(handler, null, callbacks[random.nextInt(callbacks.length)], null)
                    : new Match(handler, random.nextInt(CODES), null, anyToken());
        }

        private void cancel() {
            Sent one = board.get(random.nextInt(BOARD));
            if (one != null) {
                cancel(one);
            }
        }

        void cancel(Sent one) {
            Message message = one.message;
            if (message != null && door.cancel(message)) {
                if (one.cancelled) {
                    findings.add("cancelled twice: " + one);
                }
                one.cancelled = true;
            }
        }

        /** A barrier, and what one may do while it stands. */
        private void holdUp(Generation generation) {
            long postStart = generation.now();
            int token = door.postBarrier(generation.looper);
            long postEnd = generation.now();
            for (int i = random.nextInt(3); i > 0; i--) {
                switch (random.nextInt(3)) {
                    case 0 -> ping(generation, true);
                    case 1 -> LockSupport.parkNanos(random.nextInt(100_000));
                    default -> send(generation);
                }
            }
            long removeStart = generation.now();
            long removeEnd = Long.MAX_VALUE;
            try {
                door.removeBarrier(generation.looper, token);
                removeEnd = generation.now();
            } catch (IllegalStateException e) {
                if (!generation.hasQuit()) {
                    findings.add("a barrier has gone: " + e.getMessage());
                }
            }
            generation.barriers.add(new Barrier(postStart, postEnd, removeStart, removeEnd));
        }

        /** Sends a message and waits for its run; if this thread holds up others, one that passes. */
        private void ping(Generation generation, boolean asynchronous) {
            Sent one = newSent(generation, generation.pings, 0, asynchronous);
            if (random.nextBoolean()) {
                generation.send(one, () -> one.handler.sendMessage(messageOf(one)));
            } else {
                generation.sendToFront(one, messageOf(one));
            }
            awaitRun(one);
        }

        void awaitRun(Sent one) {
            Generation generation = one.generation;
            if (one.accepted) {
                await(generation, "this is run: " + one, () -> one.done || generation.hasQuit());
            }
        }

        private void addIdleHandler(Generation generation) {
            boolean keep = random.nextBoolean();
            int[] left = {3};
            generation.looper.getQueue().addIdleHandler(() -> keep && --left[0] > 0);
        }

        private void quit(Generation generation) {
            if (random.nextInt(8) == 0
                    && generations.size() < MAX_GENERATIONS
                    && generation.quit(random.nextBoolean())) {
                current = newGeneration();
            }
        }
    }
}

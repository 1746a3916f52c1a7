package dev.unjank.workbench.soak;

import dev.unjank.looper.Handler;
import dev.unjank.looper.Message;
import dev.unjank.workbench.soak.TimedCalls.Barrier;
import dev.unjank.workbench.soak.TimedCalls.Match;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One of the threads of a {@link ConcurrentRound}, whose operations are determined by the seed. */
final class ConcurrentActor implements Runnable {
    private final ConcurrentRound round;
    final int index;
    final SplittableRandom random;
    /** The messages that it has sent. */
    final List<SentMessage> sent = new ArrayList<>();
    /** The number of operations; read by others after this thread has ended. */
    long operations;

    ConcurrentActor(ConcurrentRound round, int index, long seed) {
        this.round = round;
        this.index = index;
        this.random = new SplittableRandom(seed);
    }

    @Override
    public void run() {
        try {
            for (int i = 0; i < ConcurrentRound.OPERATIONS && !round.hasFailed(); i++) {
                operations++;
                if (index == 0 && i == round.crowdAt) {
                    operations += new ConcurrentBulkOperations(round, this, round.current()).gather();
                }
                act(round.current());
            }
        } catch (RuntimeException | Error e) {
            round.fail(
                    e instanceof SoakFailure.Failure
                            ? String.valueOf(e.getMessage())
                            : e + " at " + e.getStackTrace()[0]);
        }
    }

    private void act(LooperLifetime generation) {
        switch (random.nextInt(32)) {
            case 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 -> send(generation);
            case 12, 13 -> sendToFront(generation);
            case 14, 15, 16 -> round.remove(generation, index, anyMatch(generation));
            case 17, 18 -> cancel();
            case 19, 20 -> round.ask(generation, anyQuestion(generation));
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

    private SentMessage newSent(LooperLifetime generation, Handler handler) {
        boolean callback = random.nextInt(3) == 0;
        SentMessage one = new SentMessage(
                generation,
                index,
                sent.size(),
                handler,
                callback ? 0 : random.nextInt(ConcurrentRound.CODES),
                anyToken(),
                callback ? any(round.callbacks) : null,
                random.nextInt(4) == 0);
        sent.add(one);
        return one;
    }

    private <T> T any(T[] values) {
        return values[random.nextInt(values.length)];
    }

    private @Nullable Object anyToken() {
        return random.nextInt(3) == 0 ? null : any(round.tokens);
    }

    private Handler anyHandler(LooperLifetime generation) {
        return any(generation.handlers);
    }

    /** Creates the record of a message that this thread sends individually. */
    SentMessage newSent(LooperLifetime generation, Handler handler, int what, boolean asynchronous) {
        SentMessage one = new SentMessage(generation, index, sent.size(), handler, what, null, null, asynchronous);
        sent.add(one);
        return one;
    }

    private void send(LooperLifetime generation) {
        SentMessage one = newSent(generation, anyHandler(generation));
        Handler handler = one.handler;
        int way = random.nextInt(8);
        long delay = random.nextInt(4);
        long now = TimeUnit.NANOSECONDS.toMillis(generation.now());
        Runnable callback = one.callback;
        generation.send(one, () -> switch (way) {
            case 0, 1 -> handler.sendMessageDelayed(ConcurrentRound.messageOf(one), delay);
            case 2 -> handler.sendMessageAtTime(ConcurrentRound.messageOf(one), now - delay);
            case 3 -> handler.sendMessageDelayed(ConcurrentRound.messageOf(one), ConcurrentRound.FAR_MILLIS + delay);
            case 4 ->
                callback != null
                        ? handler.postDelayed(callback, one.token, delay)
                        : handler.sendMessage(ConcurrentRound.messageOf(one));
            default -> handler.sendMessage(ConcurrentRound.messageOf(one));
        });
        round.board.set(random.nextInt(ConcurrentRound.BOARD), one);
    }

    private void sendToFront(LooperLifetime generation) {
        SentMessage one = newSent(generation, anyHandler(generation));
        generation.sendToFront(one, ConcurrentRound.messageOf(one));
    }

    private Match anyMatch(LooperLifetime generation) {
        Handler handler = anyHandler(generation);
        return switch (random.nextInt(8)) {
            case 0 -> new Match(handler, null, null, anyToken());
            case 1, 2 -> new Match(handler, null, any(round.callbacks), anyToken());
            default -> new Match(handler, random.nextInt(ConcurrentRound.CODES), null, anyToken());
        };
    }

    private Match anyQuestion(LooperLifetime generation) {
        Handler handler = anyHandler(generation);
        return random.nextInt(3) == 0
                ? new Match(handler, null, any(round.callbacks), null)
                : new Match(handler, random.nextInt(ConcurrentRound.CODES), null, anyToken());
    }

    private void cancel() {
        SentMessage one = round.board.get(random.nextInt(ConcurrentRound.BOARD));
        if (one != null) {
            cancel(one);
        }
    }

    void cancel(SentMessage one) {
        Message message = one.message;
        if (message != null && round.door.cancel(message)) {
            if (one.cancelled) {
                round.fail("cancelled twice: " + one);
            }
            one.cancelled = true;
        }
    }

    /** Posts a barrier, and runs operations while the barrier is in place. */
    private void holdUp(LooperLifetime generation) {
        long postStart = generation.now();
        int token = round.door.postBarrier(generation.looper);
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
            round.door.removeBarrier(generation.looper, token);
            removeEnd = generation.now();
        } catch (IllegalStateException e) {
            if (!generation.hasQuit()) {
                round.fail("a barrier was not found: " + e.getMessage());
            }
        }
        generation.barriers.add(new Barrier(postStart, postEnd, removeStart, removeEnd));
    }

    /** Sends a message and waits for its run; an asynchronous one if this thread has posted a barrier. */
    private void ping(LooperLifetime generation, boolean asynchronous) {
        SentMessage one = newSent(generation, generation.pings, 0, asynchronous);
        if (random.nextBoolean()) {
            generation.send(one, () -> one.handler.sendMessage(ConcurrentRound.messageOf(one)));
        } else {
            generation.sendToFront(one, ConcurrentRound.messageOf(one));
        }
        awaitRun(one);
    }

    void awaitRun(SentMessage one) {
        LooperLifetime generation = one.generation;
        if (one.accepted) {
            round.await(generation, "this is run: " + one, () -> one.done || generation.hasQuit());
        }
    }

    private void addIdleHandler(LooperLifetime generation) {
        boolean keep = random.nextBoolean();
        int[] left = {3};
        generation.looper.getQueue().addIdleHandler(() -> keep && --left[0] > 0);
    }

    private void quit(LooperLifetime generation) {
        if (random.nextInt(8) == 0 && round.mayGoOn() && generation.quit(random.nextBoolean())) {
            round.goOn();
        }
    }
}

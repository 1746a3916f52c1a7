package dev.unjank.proof.soak;

import dev.unjank.looper.Handler;
import dev.unjank.looper.Looper;
import dev.unjank.looper.Message;
import dev.unjank.looper.MessageQueue;
import dev.unjank.looper.PendingMessage;
import dev.unjank.looper.QueueKind;
import dev.unjank.looper.TestLooperManager;
import dev.unjank.looper.Waker;
import dev.unjank.proof.soak.Model.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One thread does everything: sends, removes, asks, moves the clock, runs messages, sleeps; what it does while the looper sleeps,
 * or inside of a message, is what other threads would do at that moment. After each step queue and model must agree.
 */
final class SequentialRound {
    private static final int STEPS = 1_000;
    private static final int CODES = 4;
    private static final int RECENT = 16;
    /** So many steps to one with a crowd. */
    private static final int STEPS_PER_CROWD = 4_000;
    /** With more messages than that not every step is followed by a look at each of them. */
    private static final int FEW = 100;

    private static final int STEPS_PER_LOOK_AT_ALL = 32;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long[] ODD_TIMES = {
        Long.MIN_VALUE, Long.MIN_VALUE + 1, -2, -1, 0, 1, Long.MAX_VALUE - 1, Long.MAX_VALUE
    };

    private final QueueKind kind;
    private final Door door;
    private final SplittableRandom random;
    private final Object[] tokens = {"red", "green"};
    private final Runnable[] callbacks = {this::mayActAgain, () -> mayActAgain(), () -> {}};
    private long operations;

    private Life life;

    SequentialRound(long seed, QueueKind kind, Door door) {
        this.kind = kind;
        this.door = door;
        this.random = new SplittableRandom(seed);
        this.life = new Life();
    }

    /** Plays the round; returns how many operations it had. */
    long play() {
        for (int step = 0; step < STEPS; step++) {
            try {
                step();
                if (step % STEPS_PER_LOOK_AT_ALL == 0) {
                    life.compareAll();
                } else if (life.model.entries().size() <= FEW) {
                    life.compare();
                }
            } catch (RuntimeException e) {
                throw new Finding.Failure("step " + step + ": " + e.getMessage() + "; the model has " + life.model);
            }
        }
        return operations;
    }

    static void require(boolean holds, String failure) {
        if (!holds) {
            throw new Finding.Failure(failure);
        }
    }

    private void step() {
        if (random.nextInt(STEPS_PER_CROWD) == 0) {
            life.crowd.gather();
            return;
        }
        switch (random.nextInt(10)) {
            case 0, 1 -> life.poll();
            case 2 -> life.next();
            case 3 -> life.nanos += random.nextLong(3 * NANOS_PER_MILLI);
            default -> act();
        }
        if (life.over) {
            life = new Life();
        }
    }

    private void mayActAgain() {
        if (random.nextInt(6) == 0) {
            act();
        }
    }

    /** One operation such as any thread may do at any time. */
    private void act() {
        operations++;
        switch (random.nextInt(20)) {
            case 0, 1, 2, 3 -> life.sendMessage();
            case 4, 5, 6 -> life.post();
            case 7 -> life.sendToFront();
            case 8 -> life.sendEmpty();
            case 9, 10 -> life.removeMessages();
            case 11 -> life.removeCallbacks();
            case 12 -> life.cancel();
            case 13, 14 -> life.ask();
            case 15 -> life.postBarrier();
            case 16, 17 -> life.removeBarrier();
            case 18 -> life.changeIdleHandlers();
            default -> {
                if (random.nextInt(12) == 0) {
                    life.quit();
                } else {
                    life.misuse();
                }
            }
        }
    }

    private <T> T any(T[] values) {
        return values[random.nextInt(values.length)];
    }

    private @Nullable Object anyToken() {
        return random.nextInt(3) == 0 ? null : any(tokens);
    }

    /** One looper from birth to end, beside its model. */
    final class Life implements Waker {
        final Model model = new Model();
        private final List<Message> recent = new ArrayList<>();
        private final List<Idle> idles = new ArrayList<>();
        private final Looper looper;
        private final TestLooperManager manager;
        private final Handler[] handlers;
        private final ScheduledExecutorService executor;
        private final SequentialCrowd crowd = new SequentialCrowd(this, random);
        long nanos = 1_000_000_000L + random.nextLong(NANOS_PER_MILLI);
        private boolean woken;
        private boolean asleep;
        private boolean slept;
        private boolean over;
        private @Nullable String idleMistake;

        Life() {
            looper = Looper.create(door.options(kind, () -> nanos, this));
            manager = new TestLooperManager(looper);
            Handler.Callback run = message -> {
                mayActAgain();
                return true;
            };
            handlers = new Handler[] {
                new Handler(looper, run),
                new Handler(looper, run),
                Handler.createAsync(looper, run),
                new Handler(looper, run)
            };
            executor = looper.asScheduledExecutorService();
        }

        long now() {
            return Math.floorDiv(nanos, NANOS_PER_MILLI);
        }

        // ---- sending

        private int anyHandler() {
            return random.nextInt(SequentialCrowd.HANDLER); // the others
        }

        private boolean isAsync(int handler) {
            return handler == 2;
        }

        private long anyTime() {
            return random.nextInt(12) == 0
                    ? ODD_TIMES[random.nextInt(ODD_TIMES.length)]
                    : now() + random.nextInt(12) - 4;
        }

        private long after(long delay) {
            long positive = Math.max(delay, 0);
            return positive > Long.MAX_VALUE - now() ? Long.MAX_VALUE : now() + positive;
        }

        private long anyDelay() {
            return switch (random.nextInt(10)) {
                case 0 -> Long.MAX_VALUE;
                case 1 -> Long.MIN_VALUE;
                default -> random.nextInt(10) - 2;
            };
        }

        private void checkSent(boolean accepted) {
            require(accepted != model.hasQuit(), "sending returned " + accepted);
        }

        private Message newMessage(int handler, int what, @Nullable Object token) {
            Message message = handlers[handler].obtainMessage(what, token);
            recent.add(message);
            if (recent.size() > RECENT) {
                recent.removeFirst();
            }
            return message;
        }

        void sendMessage() {
            int handler = anyHandler();
            int what = random.nextInt(CODES);
            Object token = anyToken();
            Message message = newMessage(handler, what, token);
            boolean async = random.nextInt(4) == 0;
            message.setAsynchronous(async);
            long when;
            boolean accepted;
            if (random.nextBoolean()) {
                when = anyTime();
                accepted = door.send(handlers[handler]::sendMessageAtTime, message, when);
            } else {
                long delay = anyDelay();
                when = after(delay);
                accepted = handlers[handler].sendMessageDelayed(message, delay);
            }
            checkSent(accepted);
            model.add(when, handler, what, token, null, async || isAsync(handler), message);
            require(accepted || (message.what == 0 && message.obj == null), "a refused message is not cleared");
        }

        /** Sends one of a crowd. */
        Message sendAtTime(int what, long when, boolean async) {
            int handler = SequentialCrowd.HANDLER;
            Message message = handlers[handler].obtainMessage(what);
            message.setAsynchronous(async);
            checkSent(door.send(handlers[handler]::sendMessageAtTime, message, when));
            model.add(when, handler, what, null, null, async, message);
            operations++;
            return message;
        }

        /** Has a task run at a nanosecond that is still to come. */
        void schedule(long delayNanos) {
            long due = nanos + delayNanos;
            boolean accepted = true;
            try {
                Runnable task = (Runnable) executor.schedule(() -> {}, delayNanos, TimeUnit.NANOSECONDS);
                model.addTask(due, SequentialCrowd.EXECUTOR, task);
            } catch (RejectedExecutionException e) {
                accepted = false;
            }
            checkSent(accepted);
            operations++;
        }

        void post() {
            int handler = anyHandler();
            Runnable callback = any(callbacks);
            Object token = null;
            long when;
            boolean accepted;
            switch (random.nextInt(4)) {
                case 0 -> {
                    when = now();
                    accepted = handlers[handler].post(callback);
                }
                case 1 -> {
                    long delay = anyDelay();
                    when = after(delay);
                    token = anyToken();
                    accepted = handlers[handler].postDelayed(callback, token, delay);
                }
                case 2 -> {
                    when = 0;
                    accepted = handlers[handler].postAtFrontOfQueue(callback);
                }
                default -> {
                    when = anyTime();
                    token = anyToken();
                    accepted = handlers[handler].postAtTime(callback, token, when);
                }
            }
            checkSent(accepted);
            model.add(when, handler, 0, token, callback, isAsync(handler), null);
        }

        void sendToFront() {
            int handler = anyHandler();
            int what = random.nextInt(CODES);
            Message message = newMessage(handler, what, null);
            checkSent(handlers[handler].sendMessageAtFrontOfQueue(message));
            model.add(0, handler, what, null, null, isAsync(handler), message);
        }

        void sendEmpty() {
            int handler = anyHandler();
            int what = random.nextInt(CODES);
            long when = anyTime();
            checkSent(handlers[handler].sendEmptyMessageAtTime(what, when));
            model.add(when, handler, what, null, null, isAsync(handler), null);
        }

        // ---- removing and asking

        void removeMessages() {
            int handler = anyHandler();
            int what = random.nextInt(CODES);
            Object token = anyToken();
            if (random.nextInt(4) == 0) {
                door.removeCallbacksAndMessages(handlers[handler], token);
                model.remove(of(handler, token));
            } else {
                door.removeMessages(handlers[handler], what, token);
                model.remove(of(handler, token).and(entry -> entry.what() == what));
            }
        }

        void removeCallbacks() {
            int handler = anyHandler();
            Runnable callback = any(callbacks);
            Object token = anyToken();
            door.removeCallbacks(handlers[handler], callback, token);
            model.remove(of(handler, token).and(entry -> Objects.equals(entry.callback(), callback)));
        }

        @SuppressWarnings("ReferenceEquality") // tokens are compared by identity
        private static Predicate<Entry> of(int handler, @Nullable Object token) {
            return entry -> entry.handler() == handler && (token == null || entry.token() == token);
        }

        @SuppressWarnings("ReferenceEquality") // a message is its own handle
        private static Predicate<Entry> is(Message message) {
            return entry -> entry.message() == message;
        }

        void cancel() {
            if (!recent.isEmpty()) {
                cancel(recent.get(random.nextInt(recent.size())));
            }
        }

        void cancel(Message message) {
            boolean cancelled = door.cancel(message);
            require(cancelled == model.remove(is(message)), "cancel returned " + cancelled);
            require(!cancelled || message.obj == null, "a cancelled message keeps its payload");
        }

        void removeMessages(int handler, int what) {
            door.removeMessages(handlers[handler], what, null);
            model.remove(of(handler, null).and(entry -> entry.what() == what));
            operations++;
        }

        void ask(int handler, int what) {
            require(
                    door.has(handlers[handler], what, null)
                            == model.has(of(handler, null).and(entry -> entry.what() == what)),
                    "hasMessages(" + what + ")");
            operations++;
        }

        void ask() {
            int handler = anyHandler();
            int what = random.nextInt(CODES);
            Object token = anyToken();
            require(
                    door.has(handlers[handler], what, token)
                            == model.has(of(handler, token).and(entry -> entry.what() == what)),
                    "hasMessages(" + what + ", " + token + ")");
            Runnable callback = any(callbacks);
            require(
                    handlers[handler].hasCallbacks(callback)
                            == model.has(of(handler, null).and(entry -> Objects.equals(entry.callback(), callback))),
                    "hasCallbacks");
        }

        void misuse() {
            if (recent.isEmpty()) {
                return;
            }
            Message used = recent.get(random.nextInt(recent.size()));
            boolean refused = false;
            try {
                if (random.nextBoolean()) {
                    handlers[0].sendMessage(used);
                } else {
                    used.recycle();
                }
            } catch (IllegalStateException e) {
                refused = true;
            }
            require(refused, "a message in use was accepted again");
        }

        // ---- barriers, idle handlers, the end

        void postBarrier() {
            model.addBarrier(now(), door.postBarrier(looper));
        }

        void removeBarrier() {
            List<Entry> barriers = model.barriers();
            if (barriers.isEmpty()) {
                boolean refused = false;
                try {
                    door.removeBarrier(looper, Integer.MAX_VALUE);
                } catch (IllegalStateException e) {
                    refused = true;
                }
                require(refused, "an unknown barrier was removed");
                return;
            }
            Entry barrier = barriers.get(random.nextInt(barriers.size()));
            door.removeBarrier(looper, barrier.barrier());
            model.remove(entry -> entry.barrier() == barrier.barrier());
        }

        /** An idle handler that counts its calls in one turn of the loop. */
        private final class Idle implements MessageQueue.IdleHandler {
            private final boolean keep = random.nextBoolean();
            private int calls;

            @Override
            public boolean queueIdle() {
                calls++;
                // thrown here it would be logged by the loop and go no further
                if (!model.isIdle(nanos) || calls > 1) {
                    idleMistake = "an idle handler is called " + (calls > 1 ? "again" : "though something is due");
                }
                return keep;
            }
        }

        void changeIdleHandlers() {
            if (asleep) {
                return; // whether it is called in this turn is left open
            }
            if (idles.isEmpty() || random.nextBoolean()) {
                Idle added = new Idle();
                idles.add(added);
                looper.getQueue().addIdleHandler(added);
            } else {
                looper.getQueue().removeIdleHandler(idles.remove(random.nextInt(idles.size())));
            }
        }

        void quit() {
            boolean safely = random.nextBoolean();
            door.quit(looper, safely);
            model.quit(safely, nanos);
        }

        // ---- running

        /** False if nothing is to be taken. */
        boolean poll() {
            return run(manager.poll(), model.poll(nanos));
        }

        private boolean run(@Nullable Message message, @Nullable Entry expected) {
            if (message == null || expected == null) {
                require(message == null && expected == null, "took " + message + " instead of " + expected);
                return false;
            }
            boolean same = message.getWhen() == expected.when()
                    && message.what == expected.what()
                    && Objects.equals(message.obj, expected.token())
                    && Objects.equals(message.getCallback(), expected.callback())
                    && (expected.handler() == SequentialCrowd.EXECUTOR
                            || Objects.equals(message.getTarget(), handlers[expected.handler()]))
                    && message.isAsynchronous() == expected.asynchronous();
            require(same, "took " + message + " instead of " + expected);
            operations++;
            manager.execute(message);
            manager.recycle(message);
            require(message.what == 0 && message.obj == null, "a recycled message is not cleared");
            return true;
        }

        void next() {
            slept = false;
            idles.forEach(idle -> idle.calls = 0);
            Message message = manager.next();
            idles.removeIf(idle -> idle.calls > 0 && !idle.keep);
            if (message != null) {
                run(message, model.poll(nanos));
                return;
            }
            require(model.hasQuit() && model.next() == null, "the loop has ended");
            model.end();
            over = true;
        }

        /** The sleep of the looper: others act, then it is woken, or its time is over, or it wakes for no reason at all. */
        @Override
        public void await(long sleepNanos) {
            if (!slept && model.isIdle(nanos)) {
                idles.forEach(idle -> require(idle.calls == 1, "asleep without having called an idle handler"));
            }
            slept = true;
            asleep = true;
            long end = sleepNanos == FOREVER ? Long.MAX_VALUE : nanos + sleepNanos;
            crowd.gatherAsleep(end);
            for (int acts = random.nextInt(4); !woken && (acts > 0 || end == Long.MAX_VALUE); acts--) {
                requireNothingMissed(end);
                if (acts > -20) {
                    act();
                } else {
                    quit();
                }
            }
            requireNothingMissed(end);
            if (!woken && random.nextInt(4) != 0) {
                nanos = end;
            }
            woken = false;
            asleep = false;
        }

        boolean isWoken() {
            return woken;
        }

        boolean isLockFree() {
            return kind == QueueKind.LOCK_FREE;
        }

        void requireNothingMissed(long end) {
            if (woken) {
                return;
            }
            Entry next = model.next();
            require(next != null || !model.hasQuit(), "asleep after quit");
            if (next != null && !next.isNever()) {
                require(!next.isDueAt(nanos) && end <= next.dueNanos(), "asleep past " + next);
            }
        }

        @Override
        public void wake() {
            require(!over, "woken after its end");
            woken = true;
        }

        // ---- agreement

        void compare() {
            if (idleMistake != null) {
                throw new Finding.Failure(idleMistake);
            }
            if (over) {
                return;
            }
            Entry next = model.next();
            require(Objects.equals(manager.peekWhen(), next == null ? null : (Long) next.when()), "peekWhen");
            require(looper.getQueue().isIdle() == model.isIdle(nanos), "isIdle");
            require(manager.isBlockedOnSyncBarrier() == model.isBlockedOnBarrier(nanos), "isBlockedOnSyncBarrier");
        }

        /** Nobody else does anything, so what the queue says of all that waits is exact. */
        void compareAll() {
            compare();
            if (over) {
                return;
            }
            List<PendingMessage> pending = looper.getQueue().pending();
            List<Entry> expected = model.entries();
            require(pending.size() == expected.size(), "pending() has " + pending.size());
            for (int i = 0; i < pending.size(); i++) {
                PendingMessage one = pending.get(i);
                Entry entry = expected.get(i);
                boolean same = one.when() == entry.when()
                        && one.what() == entry.what()
                        && one.asynchronous() == entry.asynchronous()
                        && (one.barrier() == null ? 0 : one.barrier()) == entry.barrier();
                require(same, "pending() has " + one + " instead of " + entry);
            }
            long depth = expected.stream().filter(entry -> !entry.isBarrier()).count();
            require(looper.getQueue().depth() == depth, "depth()");
        }
    }
}

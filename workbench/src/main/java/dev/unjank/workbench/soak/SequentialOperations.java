package dev.unjank.workbench.soak;

import static dev.unjank.workbench.soak.SoakFailure.require;

import dev.unjank.looper.Handler;
import dev.unjank.looper.Message;
import dev.unjank.workbench.soak.QueueModel.Entry;
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
 * The operations that any thread may call. Each is applied to the looper and to its model; the results must be equal.
 */
final class SequentialOperations {
    private static final int CODES = 4;
    private static final int RECENT = 16;
    private static final long[] ODD_TIMES = {
        Long.MIN_VALUE, Long.MIN_VALUE + 1, -2, -1, 0, 1, Long.MAX_VALUE - 1, Long.MAX_VALUE
    };

    private final SequentialLooper life;
    private final QueueModel model;
    private final Handler[] handlers;
    private final ScheduledExecutorService executor;
    private final LooperOperations door;
    private final SplittableRandom random;
    private final Object[] tokens = {"red", "green"};
    private final Runnable[] callbacks = {this::mayActAgain, () -> mayActAgain(), () -> {}};
    /** Messages to cancel, or to send again illegally. */
    private final List<Message> recent = new ArrayList<>();

    SequentialOperations(SequentialLooper life, LooperOperations door, SplittableRandom random) {
        this.life = life;
        this.model = life.model;
        this.door = door;
        this.random = random;
        Handler.Callback run = message -> {
            mayActAgain();
            return true;
        };
        handlers = new Handler[] {
            new Handler(life.looper, run),
            new Handler(life.looper, run),
            Handler.createAsync(life.looper, run),
            new Handler(life.looper, run)
        };
        executor = life.looper.asScheduledExecutorService();
    }

    private void mayActAgain() {
        if (random.nextInt(6) == 0) {
            act();
        }
    }

    void act() {
        life.operations++;
        switch (random.nextInt(20)) {
            case 0, 1, 2, 3 -> sendMessage();
            case 4, 5, 6 -> post();
            case 7 -> sendToFront();
            case 8 -> sendEmpty();
            case 9, 10 -> removeMessages();
            case 11 -> removeCallbacks();
            case 12 -> cancel();
            case 13, 14 -> ask();
            case 15 -> postBarrier();
            case 16, 17 -> removeBarrier();
            case 18 -> life.changeIdleHandlers();
            default -> {
                if (random.nextInt(12) == 0) {
                    quit();
                } else {
                    misuse();
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

    /** The handler with the index {@link Entry#handler()}, unless it is the executor's. */
    Handler handler(int number) {
        return handlers[number];
    }

    // ---- sending

    private int anyHandler() {
        return random.nextInt(
                SequentialBulkOperations.HANDLER); // all handlers except those of bulk operations and the executor
    }

    private boolean isAsync(int handler) {
        return handler == 2;
    }

    private long anyTime() {
        return random.nextInt(12) == 0
                ? ODD_TIMES[random.nextInt(ODD_TIMES.length)]
                : life.now() + random.nextInt(12) - 4;
    }

    private long after(long delay) {
        long positive = Math.max(delay, 0);
        return positive > Long.MAX_VALUE - life.now() ? Long.MAX_VALUE : life.now() + positive;
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
        require(accepted || (message.what == 0 && message.obj == null), "a refused message was not cleared");
    }

    /** Sends one message of a bulk operation. */
    Message sendAtTime(int what, long when, boolean async) {
        int handler = SequentialBulkOperations.HANDLER;
        Message message = handlers[handler].obtainMessage(what);
        message.setAsynchronous(async);
        checkSent(door.send(handlers[handler]::sendMessageAtTime, message, when));
        model.add(when, handler, what, null, null, async, message);
        life.operations++;
        return message;
    }

    /** Schedules a task for a future time in nanoseconds. */
    void schedule(long delayNanos) {
        long due = life.nanos + delayNanos;
        boolean accepted = true;
        try {
            Runnable task = (Runnable) executor.schedule(() -> {}, delayNanos, TimeUnit.NANOSECONDS);
            model.addTask(due, SequentialBulkOperations.EXECUTOR, task);
        } catch (RejectedExecutionException e) {
            accepted = false;
        }
        checkSent(accepted);
        life.operations++;
    }

    void post() {
        int handler = anyHandler();
        Runnable callback = any(callbacks);
        Object token = null;
        long when;
        boolean accepted;
        switch (random.nextInt(4)) {
            case 0 -> {
                when = life.now();
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

    // ---- removals and queries

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
        life.operations++;
    }

    void ask(int handler, int what) {
        require(
                door.has(handlers[handler], what, null)
                        == model.has(of(handler, null).and(entry -> entry.what() == what)),
                "hasMessages(" + what + ")");
        life.operations++;
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

    // ---- barriers, and the end

    void postBarrier() {
        model.addBarrier(life.now(), door.postBarrier(life.looper));
    }

    void removeBarrier() {
        List<Entry> barriers = model.barriers();
        if (barriers.isEmpty()) {
            boolean refused = false;
            try {
                door.removeBarrier(life.looper, Integer.MAX_VALUE);
            } catch (IllegalStateException e) {
                refused = true;
            }
            require(refused, "an unknown barrier was removed");
            return;
        }
        Entry barrier = barriers.get(random.nextInt(barriers.size()));
        door.removeBarrier(life.looper, barrier.barrier());
        model.remove(entry -> entry.barrier() == barrier.barrier());
    }

    void quit() {
        boolean safely = random.nextBoolean();
        door.quit(life.looper, safely);
        model.quit(safely, life.nanos);
    }
}

package dev.unjank.workbench.soak;

import static dev.unjank.workbench.soak.SoakFailure.require;

import dev.unjank.looper.Looper;
import dev.unjank.looper.Message;
import dev.unjank.looper.MessageQueue;
import dev.unjank.looper.PendingMessage;
import dev.unjank.looper.QueueKind;
import dev.unjank.looper.TestLooperManager;
import dev.unjank.looper.spi.Waker;
import dev.unjank.workbench.soak.QueueModel.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** One looper and its model: runs messages, simulates sleep, and checks that both agree. */
final class SequentialLooper implements Waker {
    private static final long NANOS_PER_MILLI = 1_000_000;

    final QueueModel model = new QueueModel();
    final Looper looper;
    final SequentialOperations acts;
    final SequentialBulkOperations crowd;
    long nanos;
    long operations;

    private final QueueKind kind;
    private final SplittableRandom random;
    private final TestLooperManager manager;
    private final List<Idle> idles = new ArrayList<>();
    private boolean woken;
    private boolean asleep;
    private boolean slept;
    private boolean over;
    private @Nullable String idleMistake;

    SequentialLooper(QueueKind kind, LooperOperations door, SplittableRandom random) {
        this.kind = kind;
        this.random = random;
        nanos = 1_000_000_000L + random.nextLong(NANOS_PER_MILLI);
        looper = Looper.create(door.options(kind, () -> nanos, this));
        manager = new TestLooperManager(looper);
        acts = new SequentialOperations(this, door, random);
        crowd = new SequentialBulkOperations(this, random);
    }

    long now() {
        return Math.floorDiv(nanos, NANOS_PER_MILLI);
    }

    boolean isWoken() {
        return woken;
    }

    /** Whether its loop has ended. */
    boolean isOver() {
        return over;
    }

    boolean isLockFree() {
        return kind == QueueKind.LOCK_FREE;
    }

    // ---- idle handlers

    /** An idle handler that counts its calls in one turn of the loop. */
    private final class Idle implements MessageQueue.IdleHandler {
        private final boolean keep = random.nextBoolean();
        private int calls;

        @Override
        public boolean queueIdle() {
            calls++;
            // an exception here would only be logged by the loop
            if (!model.isIdle(nanos) || calls > 1) {
                idleMistake = "an idle handler is called " + (calls > 1 ? "again" : "though something is due");
            }
            return keep;
        }
    }

    void changeIdleHandlers() {
        if (asleep) {
            return; // it may or may not be called in this turn
        }
        if (idles.isEmpty() || random.nextBoolean()) {
            Idle added = new Idle();
            idles.add(added);
            looper.getQueue().addIdleHandler(added);
        } else {
            looper.getQueue().removeIdleHandler(idles.remove(random.nextInt(idles.size())));
        }
    }

    // ---- running

    /** Polls the next message; false if there is none. */
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
                && (expected.handler() == SequentialBulkOperations.EXECUTOR
                        || Objects.equals(message.getTarget(), acts.handler(expected.handler())))
                && message.isAsynchronous() == expected.asynchronous();
        require(same, "took " + message + " instead of " + expected);
        operations++;
        manager.execute(message);
        manager.recycle(message);
        require(message.what == 0 && message.obj == null, "a recycled message was not cleared");
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
        require(model.hasQuit() && model.next() == null, "the loop has ended too early");
        model.end();
        over = true;
    }

    /**
     * Simulates the looper's sleep: other threads act, then it is woken, its timeout expires, or it wakes spuriously.
     */
    @Override
    public void await(long sleepNanos) {
        if (!slept && model.isIdle(nanos)) {
            idles.forEach(idle -> require(idle.calls == 1, "asleep without having called an idle handler"));
        }
        slept = true;
        asleep = true;
        long end = sleepNanos == FOREVER ? Long.MAX_VALUE : nanos + sleepNanos;
        crowd.gatherAsleep(end);
        for (int left = random.nextInt(4); !woken && (left > 0 || end == Long.MAX_VALUE); left--) {
            requireNothingMissed(end);
            if (left > -20) {
                acts.act();
            } else {
                acts.quit();
            }
        }
        requireNothingMissed(end);
        if (!woken && random.nextInt(4) != 0) {
            nanos = end;
        }
        woken = false;
        asleep = false;
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
            throw new SoakFailure.Failure(idleMistake);
        }
        if (over) {
            return;
        }
        Entry next = model.next();
        require(Objects.equals(manager.peekWhen(), next == null ? null : (Long) next.when()), "peekWhen");
        require(looper.getQueue().isIdle() == model.isIdle(nanos), "isIdle");
        require(manager.isBlockedOnSyncBarrier() == model.isBlockedOnBarrier(nanos), "isBlockedOnSyncBarrier");
    }

    /** Compares all pending messages, exactly, since only this thread uses the queue. */
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

package dev.unjank.looper;

import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.spi.Waker;
import dev.unjank.looper.util.Nullable;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * The queue in which nobody waits for a lock.
 *
 * <p>It follows the published design of the message queue of Android 17: insertion and ordering are separate, and the
 * ordering belongs to the looper alone. The structures are our own.
 *
 * <pre>
 *   producers ── push ──▶ MessageStack ── drain ──▶ MessageOrder × 2 ── take ──▶ loop
 *                             ▲    │                 lane and heap
 *                     unlink  │    │ walk what is new and young
 *                             │    ▼
 *                       Backlog   anyone ── search ──▶ KeyIndex (what has settled)
 *                       (looper)     └── remove: one compare-and-set on the message
 * </pre>
 *
 * <ul>
 *   <li><b>Sending</b> is one compare-and-set on the top of a {@link MessageStack} and some reads of the {@link WaitState}
 *       and the {@link DrainHorizon}; only if the looper sleeps past the message's time is it woken, and only if the message is
 *       to overtake others that are due already does its sender say so.
 *   <li><b>Ordering.</b> Before it decides the looper drains the stack into two {@link MessageOrder}s, one for
 *       asynchronous messages and one for the others and for barriers, so that the first message that may pass a barrier is
 *       at hand. The order on the stack is the order of sending, so the looper numbers the messages as it drains them,
 *       and producers share no counter. At the front of the queue numbers run backwards.
 *   <li><b>Removing</b> a message is winning a compare-and-set on its word ({@link Node}), against the looper and
 *       against other removers. The payload is freed there and then. The looper unlinks the dead in passing: {@link
 *       DrainedMessages}. Traversal by any thread beside the looper's unlinking is safe: see {@link MessageStack}.
 *   <li><b>Searching</b> by code, by Runnable, or for a barrier walks over what is new and asks the {@link KeyIndex} for
 *       what has settled, so that a hundred thousand timers are not in the way.
 *   <li><b>Rubbish is bounded</b>: if tombstones, or messages that might be tombstones, gather while the looper sleeps,
 *       it is woken to clear them up.
 *   <li><b>Quitting</b> closes the stack with an end marker, which says what is still to be run. Every message is below
 *       it, and is run or dropped, or was refused; there is nothing in between. Whoever quits drops what is to be
 *       dropped, so it is gone when quit returns, looper or no looper.
 *   <li><b>The waker</b> is used inside a {@link CloseGate} and freed when the last user has left.
 * </ul>
 *
 * <p><b>Guarantees.</b> Sending, quitting, and removing or taking one message are linearizable, as operations on the set of
 * messages that wait: sending at the compare-and-set on the top; removing or taking, at the one on the message's word;
 * quitting, at the push of the marker. Sending is lock-free: a producer retries only because another has succeeded.
 * Removing and asking are wait-free: they visit what was there when they began, each message once or twice, and nobody
 * can make the visit longer. (Only who removes a message that its sender is still pushing may have to try again, once for each
 * of the sender's attempts that fails.)
 *
 * <p><b>Not guaranteed.</b> Asking answers true only if a match was there when it was visited, and false only if each
 * match that was there at the beginning had gone when it was visited; if one match is replaced by another during the call,
 * that one may be missed. (To start again on what has come meanwhile would make it linearizable, and would let producers
 * keep a looper asking for ever.) Removing many messages is not one step: each of them goes atomically, and what is sent
 * meanwhile stays. Which message the looper takes was decided when it drained the stack: one that is sent between that
 * and the taking waits for the next turn, even if it goes to the front. (It cannot be a barrier that should have stopped
 * the one being taken. That was due by the looper's look at the clock, and sent before; of what was sent before it, a barrier
 * holds up only tasks due within its own millisecond, and for those either order is that of a barrier posted a moment
 * earlier or later.)
 */
final class LockFreeQueue extends MessageQueue {
    /**
     * How many messages may be pushed on a sleeping looper before it is woken to drain them. They may all have been
     * removed again, and cost memory; and every search walks over them, which is for fewer; a wake-up costs a switch of
     * threads, which is for more.
     */
    static final int UNDRAINED_BOUND = 512;

    /**
     * How often the looper looks again because a message has died that might have been next. A bound, so that threads
     * that go on sending and removing cannot keep it from its work; after that it goes by what it knows, as if the last
     * of them had come too late.
     */
    private static final int MAX_LOOKS = 16;

    // A class is loaded and initialized under a lock. Whoever does that first must not be a poster that others wait
    // for.
    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            for (Class<?> used : List.of(
                    Search.class,
                    MessageMatcher.class,
                    DrainHorizon.class,
                    WaitState.Parked.class,
                    KeyIndex.class,
                    KeyIndex.Found.class,
                    KeyIndex.Bucket.class)) {
                lookup.ensureInitialized(used);
            }
        } catch (IllegalAccessException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final MessageStack stack = new MessageStack();
    final WaitState waitState = new WaitState();
    /** How many messages have been removed since the looper last cleared up. */
    private final AtomicInteger removals = new AtomicInteger();

    private final DrainHorizon horizon = new DrainHorizon();
    private final DrainedMessages backlog = new DrainedMessages(stack, horizon);
    private final AdaptiveSpin spinning;
    private final CloseGate gate;

    LockFreeQueue(Clock clock, Waker waker) {
        this(clock, waker, new AdaptiveSpin());
    }

    LockFreeQueue(Clock clock, Waker waker, AdaptiveSpin spinning) {
        super(clock, waker);
        this.spinning = spinning;
        gate = new CloseGate(waker::close);
    }

    // ---- any thread

    @Override
    boolean insert(Message message) {
        // before it is published: afterwards it belongs to the looper, which may have retired it already
        int kind = message.kind();
        long dueNanos = message.dueNanos();
        boolean counting = waitState.seemsParkedOpaque();
        boolean overtaking = horizon.isOvertaking(dueNanos);
        if (overtaking) {
            horizon.begin();
        }
        boolean pushed = stack.push(message, counting);
        if (overtaking) {
            horizon.done();
        }
        if (!pushed) {
            return false;
        }
        if (!overtaking) {
            horizon.lookAgain(dueNanos);
        }
        WaitState.Parked parked = waitState.parkedVolatile();
        if (parked != null && (parked.mustEndFor(kind, dueNanos) || message.depth() >= UNDRAINED_BOUND)) {
            wake(parked);
        }
        return true;
    }

    private void wakeIfParked() {
        WaitState.Parked parked = waitState.parkedVolatile();
        if (parked != null) {
            wake(parked);
        }
    }

    private void wake(WaitState.Parked parked) {
        wakeUp();
        waitState.casParkedToAwake(parked);
    }

    @Override
    void wakeUp() {
        if (gate.enter()) {
            try {
                waker.wake();
            } finally {
                gate.leave();
            }
        }
    }

    @Override
    boolean has(Predicate<Message> match) {
        return new Search(match, false).run();
    }

    @Override
    boolean glimpse(Predicate<Message> match) {
        return has(match);
    }

    @Override
    boolean remove(Predicate<Message> match) {
        return new Search(match, true).run();
    }

    /** One visit of everything that may match, to find the first or to remove them all. */
    private final class Search implements Predicate<Message> {
        private final Predicate<Message> match;
        private final boolean removing;
        private final @Nullable Message settledTop;
        private final @Nullable Message top;
        private boolean removedAny;

        Search(Predicate<Message> match, boolean removing) {
            this.match = match;
            this.removing = removing;
            // in this order: what had settled by now is in the index, and what had not is above, seen from a later top
            settledTop = backlog.settledTopAcquire();
            top = stack.topVolatile();
        }

        /** Returns true if something has been found or removed. */
        boolean run() {
            for (Message m = firstBelow(top); m != null; m = m.nextOpaque()) {
                if (m == settledTop && match instanceof MessageMatcher keyed && keyed.key != KeyIndex.NO_KEY) {
                    KeyIndex index = backlog.indexAcquire();
                    if (index != null) {
                        KeyIndex.Found found = index.search(keyed.key, keyed.codeZero, this);
                        if (found != KeyIndex.Found.PERHAPS_MORE) {
                            return removedAny || found == KeyIndex.Found.ENOUGH;
                        }
                    }
                }
                if (test(m)) {
                    return true;
                }
            }
            return removedAny;
        }

        /** Visits one message; true to stop. */
        @Override
        public boolean test(Message m) {
            if (!m.isQueued() || !isKept(m, top) || !match.test(m)) {
                return false;
            }
            if (removing) {
                removedAny |= tryRemove(m);
                return false;
            }
            return m.wasIntact();
        }
    }

    private static @Nullable Message firstBelow(@Nullable Message top) {
        return top != null && MessageStack.isEnd(top) ? top.nextOpaque() : top;
    }

    /** False if the queue has been quit and that dropped this message, whether or not its tombstone is there yet. */
    private static boolean isKept(Message message, @Nullable Message top) {
        return top == null || !MessageStack.isEnd(top) || message.isDueBefore(top);
    }

    @Override
    boolean cancel(Message message) {
        return isKept(message, stack.topVolatile()) && tryRemove(message);
    }

    private boolean tryRemove(Message message) {
        if (!message.tryRemove()) {
            return false;
        }
        int count = removals.incrementAndGet();
        WaitState.Parked parked = waitState.parkedVolatile();
        if (parked != null && parked.mustEndAfterRemovals(count)) {
            wake(parked);
        }
        return true;
    }

    @Override
    boolean isIdleAt(long nanos) {
        return !has(m -> m.isDueAt(nanos));
    }

    @Override
    boolean removeBarrier(int token) {
        if (!remove(MessageMatcher.barrier(token))) {
            return false;
        }
        wakeIfParked();
        return true;
    }

    @Override
    void quit(boolean safely) {
        Message end = Message.end();
        if (safely) {
            end.setDueAfterNanos(clock.nanos());
        } else {
            end.setDueMillis(Long.MIN_VALUE);
        }
        horizon.begin(); // and never done: from now on the looper looks each time
        boolean first = stack.close(end);
        // also if another was first, who may have lost its processor; and before dropping, which may run code of the
        // user, who waits for the result of what is dropped
        wakeIfParked();
        if (first) {
            dropFrom(end);
        }
    }

    @Override
    boolean isQuitting() {
        return MessageStack.isEnd(stack.topVolatile());
    }

    /** Removes what the end of the queue has cut off. */
    private void dropFrom(Message end) {
        for (Message m = end.nextOpaque(); m != null; m = m.nextOpaque()) {
            if (!m.isDueBefore(end)) {
                m.tryRemove();
            }
        }
    }

    /** A message and when it is due, which is not to change while it is sorted by it. */
    private record Waiting(Message message, long when, int fraction) {}

    @Override
    List<Message> snapshot() {
        List<Waiting> front = new ArrayList<>();
        List<Waiting> others = new ArrayList<>();
        Message top = stack.topVolatile();
        for (Message m = firstBelow(top); m != null; m = m.nextOpaque()) {
            Waiting waiting = new Waiting(m, m.when, m.fraction());
            if (isKept(m, top) && m.wasIntact()) {
                (waiting.when == 0 ? front : others).add(waiting);
            }
        }
        // ties are in the order of sending, but the traversal went from the newest down, as the front of the queue does
        Collections.reverse(others);
        front.addAll(others);
        front.sort(Comparator.comparingLong(Waiting::when).thenComparingInt(Waiting::fraction));
        List<Message> messages = new ArrayList<>(front.size());
        front.forEach(waiting -> messages.add(waiting.message));
        return messages;
    }

    // ---- the looper

    @Override
    @Nullable
    Message pollBacklog() {
        if (!backlog.knowsOneDueAt(outlook.lookedAt)) {
            return null;
        }
        tidyInPassing();
        return backlog.take(outlook.lookedAt, MAX_LOOKS);
    }

    @Override
    @Nullable
    Message poll(long nanos, boolean arm) {
        waitState.setAwakeOpaque();
        spinning.awakeAt(nanos);
        outlook.lookedAt = nanos;
        tidyInPassing();
        for (int turns = 1; ; turns++) {
            Message message = backlog.take(nanos, MAX_LOOKS);
            if (message != null) {
                return message;
            }
            outlook.deadline = backlog.deadline();
            outlook.idle = backlog.stalledSince() > nanos;
            outlook.ended = backlog.hasEnded();
            if (arm && !outlook.ended && spinning.sawNews(backlog)) {
                return askAgain(nanos);
            }
            if (arm && turns == 1 && backlog.isSoonPurged(removals.get())) {
                purge();
                continue; // a barrier may have been among the dead
            }
            backlog.settle(); // what is left may be here for long
            if (!arm || outlook.ended) {
                return null;
            }
            // announce the sleep, and look again: see WaitState
            waitState.setParkedVolatile(new WaitState.Parked(
                    Math.min(outlook.deadline, backlog.stalledSince()), outlook.deadline, backlog.removalsTolerated()));
            if (!backlog.hasNewsVolatile() && !backlog.hasBarrierFallenVolatile()) {
                spinning.asleepSince(nanos);
                return null;
            }
            waitState.setAwakeOpaque();
            if (turns == MAX_LOOKS) {
                return askAgain(nanos);
            }
        }
    }

    /**
     * Takes nothing, and has the caller come again at once, with a new time. News that is not due yet at the old one must
     * not keep the looper from what has become due meanwhile.
     */
    private @Nullable Message askAgain(long nanos) {
        outlook.deadline = nanos;
        outlook.idle = false;
        return null;
    }

    private void tidyInPassing() {
        if (removals.get() >= backlog.removalsTolerated()) {
            purge();
        } else {
            backlog.tidyInPassing();
        }
    }

    private void purge() {
        removals.set(0); // before the purge, which may miss what is removed from now on
        backlog.purge();
    }

    @Override
    void release() {
        Message top = stack.topAcquire();
        for (Message m = firstBelow(top); m != null; m = m.nextOpaque()) {
            m.tryRemove();
        }
        backlog.clear();
        gate.close();
    }
}

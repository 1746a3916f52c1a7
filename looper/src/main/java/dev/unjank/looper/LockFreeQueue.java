package dev.unjank.looper;

import static dev.unjank.looper.queue.NodeState.dueNanos;
import static dev.unjank.looper.queue.NodeState.fraction;
import static dev.unjank.looper.queue.NodeState.isDueAt;
import static dev.unjank.looper.queue.NodeState.isDueBefore;
import static dev.unjank.looper.queue.NodeState.isQueued;
import static dev.unjank.looper.queue.NodeState.kind;
import static dev.unjank.looper.queue.NodeState.nextOpaque;
import static dev.unjank.looper.queue.NodeState.setDueAfterNanos;
import static dev.unjank.looper.queue.NodeState.setDueMillis;
import static dev.unjank.looper.queue.NodeState.wasIntact;
import static dev.unjank.looper.queue.NodeState.when;

import dev.unjank.looper.queue.AdaptiveSpin;
import dev.unjank.looper.queue.CloseGate;
import dev.unjank.looper.queue.DrainHorizon;
import dev.unjank.looper.queue.DrainedMessages;
import dev.unjank.looper.queue.KeyIndex;
import dev.unjank.looper.queue.MessageGenerations;
import dev.unjank.looper.queue.MessageOrder;
import dev.unjank.looper.queue.MessageStack;
import dev.unjank.looper.queue.Node;
import dev.unjank.looper.queue.NodeState;
import dev.unjank.looper.queue.WaitState;
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
 * The lock-free message queue: no thread waits for a lock.
 *
 * <p>It follows the published design of the message queue of Android 17: insertion and ordering are separate steps, and
 * only the looper orders messages. The data structures are original.
 *
 * <pre>
 *   producers ── push ──▶ MessageStack ── drain ──▶ MessageOrder × 2 ── take ──▶ loop
 *                             ▲    │                 lane and heap
 *                     unlink  │    │ walk over new and young messages
 *                             │    ▼
 *               DrainedMessages   any thread ── search ──▶ KeyIndex (settled messages)
 *                  (looper)             └── remove: one compare-and-set on the message
 * </pre>
 *
 * <ul>
 *   <li><b>Sending</b> is one compare-and-set on the top of a {@link MessageStack} and some reads of the {@link
 *       WaitState} and the {@link DrainHorizon}. The sender wakes the looper only if the looper would sleep past the
 *       message's due time. Only if the message is due before the horizon does it also announce itself in the {@link
 *       DrainHorizon}.
 *   <li><b>Ordering.</b> Before it chooses the next message, the looper drains the stack into two {@link
 *       MessageOrder}s: one for asynchronous messages, one for synchronous messages and barriers. So the first message
 *       that a barrier does not block can always be found without a search. The order on the stack is the order of
 *       sending: the looper numbers the messages as it drains them, so producers do not share a counter. Messages for
 *       the front of the queue get descending numbers.
 *   <li><b>Removing</b> a message means winning a compare-and-set on its word ({@link NodeState}) against the looper
 *       and other removers. The winner frees the payload at once. The looper unlinks dead messages incrementally:
 *       {@link MessageGenerations}. Any thread may traverse the stack while the looper unlinks: see {@link
 *       MessageStack}.
 *   <li><b>Searching</b> by code, by Runnable, or for a barrier walks over the messages that are new or young, which
 *       arrived lately, and looks up the settled ones, which are older, in the {@link KeyIndex} ({@link
 *       MessageGenerations} has the definitions). Timers that wait for long are settled, so they do not slow a search
 *       down, however many there are.
 *   <li><b>Garbage is bounded</b>: if dead messages, or undrained messages that may be dead, accumulate while the
 *       looper sleeps, a sender or remover wakes it to unlink them.
 *   <li><b>Quitting</b> closes the stack with an end marker, which records whether due messages still run. Every
 *       accepted message is below the marker and is run, removed or dropped; later messages are refused. The quitting
 *       thread drops the messages itself, so they have left the queue when quit returns, even if the looper is not
 *       running.
 *   <li><b>The waker</b> is used inside a {@link CloseGate} and freed when the last user has left.
 * </ul>
 *
 * <p><b>Guarantees.</b> Sending, quitting, and removing or taking one message are linearizable, as operations on the
 * set of waiting messages. The linearization points are: for sending, the compare-and-set on the top; for removing or
 * taking, the one on the message's word; for quitting, the push of the marker. Sending is lock-free: a producer retries
 * only if another producer has succeeded. Removing and searching are wait-free: they visit at most twice each message
 * that was present at their start, and other threads cannot prolong the visit. (One exception: a thread that removes a
 * message while its sender is still pushing it may have to retry, once for each failed attempt of the sender.)
 *
 * <p><b>Not guaranteed.</b> If a search returns true, a match was in the queue when the search visited it. If it
 * returns false, every match that was in the queue at the start was removed or taken before the search reached it. A
 * match that replaces another match during the call may be missed. (A search that restarted on new messages would be
 * linearizable, but producers could keep it running forever.) Removing many messages is not atomic: each message is
 * removed atomically, and messages sent meanwhile stay. The looper chooses the next message when it drains the stack: a
 * message sent between draining and taking waits for the next turn, even if it was sent to the front. (The message sent
 * meanwhile cannot be a barrier that should have blocked the one taken. The one taken was sent before the barrier, and
 * was already due when the looper read the clock. A barrier blocks a message sent earlier only if that one is due in
 * the barrier's own millisecond. In that case both orders are correct: each is the order for a barrier posted a moment
 * earlier or later.)
 */
final class LockFreeQueue extends MessageQueue {
    /**
     * The number of messages that may accumulate on the stack while the looper sleeps before a sender wakes it to drain
     * them. A low bound limits the memory of removed messages and the length of searches; a high bound saves context
     * switches.
     */
    static final int UNDRAINED_BOUND = 512;

    /**
     * The maximum number of times that the looper polls again because a candidate for the next message has died. This
     * bounds the work that threads can cause by repeatedly sending and removing. After that the looper acts on its
     * current state, as if the newest messages had been sent later.
     */
    private static final int MAX_LOOKS = 16;

    // Initialize the classes here. A poster that did it would hold their initialization locks, which other posters wait
    // for.
    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            for (Class<?> used : List.of(
                    Search.class,
                    MessageMatcher.class,
                    MessageKeys.class,
                    NodeState.class,
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
    /** The number of messages removed since the looper's last purge. */
    private final AtomicInteger removals = new AtomicInteger();

    private final DrainHorizon horizon = new DrainHorizon();
    private final MessageGenerations generations = new MessageGenerations(stack, MessageKeys::enter);
    private final DrainedMessages backlog = new DrainedMessages(stack, horizon, generations);
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
        // read before publication: after that the looper owns the message and may already have retired it
        int kind = kind(message);
        long dueNanos = dueNanos(message);
        boolean counting = waitState.seemsParkedOpaque();
        boolean overtaking = horizon.isOvertaking(dueNanos);
        if (overtaking) {
            horizon.beginOvertaking();
        }
        boolean pushed = stack.push(message, counting);
        if (overtaking) {
            horizon.endOvertaking();
        }
        if (!pushed) {
            return false;
        }
        if (!overtaking) {
            horizon.recheckAfterPush(dueNanos);
        }
        WaitState.Parked parked = waitState.parkedVolatile();
        if (parked != null && (parked.mustWakeFor(kind, dueNanos) || NodeState.depth(message) >= UNDRAINED_BOUND)) {
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
    boolean scanUnlocked(Predicate<Message> match) {
        return has(match);
    }

    @Override
    boolean remove(Predicate<Message> match) {
        return new Search(match, true).run();
    }

    /** A visit of all messages that may match, either to find one match or to remove all matches. */
    private final class Search implements Predicate<Node> {
        private final Predicate<Message> match;
        private final boolean removing;
        private final @Nullable Node settledTop;
        private final @Nullable Node top;
        private boolean removedAny;

        Search(Predicate<Message> match, boolean removing) {
            this.match = match;
            this.removing = removing;
            // settledTop before top: messages up to settledTop are in the index, all others are reachable from the
            // later top
            settledTop = generations.settledTopAcquire();
            top = stack.topVolatile();
        }

        /** Returns true if a match was found or removed. */
        @SuppressWarnings("ReferenceEquality") // node identity
        boolean run() {
            for (Node m = firstBelow(top); m != null; m = nextOpaque(m)) {
                if (m == settledTop && match instanceof MessageMatcher keyed && keyed.key != KeyIndex.NO_KEY) {
                    KeyIndex index = generations.indexAcquire();
                    if (index != null) {
                        KeyIndex.Found found = index.search(keyed.key, keyed.codeZero, this);
                        if (found != KeyIndex.Found.INCOMPLETE) {
                            return removedAny || found == KeyIndex.Found.STOPPED;
                        }
                    }
                }
                if (test(m)) {
                    return true;
                }
            }
            return removedAny;
        }

        /** Visits one message; returns true to stop. */
        @Override
        public boolean test(Node node) {
            Message m = (Message) node;
            if (!isQueued(m) || !isKept(m, top) || !match.test(m)) {
                return false;
            }
            if (removing) {
                removedAny |= tryRemove(m);
                return false;
            }
            return wasIntact(m);
        }
    }

    private static @Nullable Node firstBelow(@Nullable Node top) {
        return top != null && MessageStack.isEnd(top) ? nextOpaque(top) : top;
    }

    /** Returns false if quitting has dropped this message, even if it is not marked as dead yet. */
    private static boolean isKept(Node message, @Nullable Node top) {
        return top == null || !MessageStack.isEnd(top) || isDueBefore(message, top);
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
        if (parked != null && parked.mustWakeAfterRemovals(count)) {
            wake(parked);
        }
        return true;
    }

    @Override
    boolean isIdleAt(long nanos) {
        return !has(m -> isDueAt(m, nanos));
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
            setDueAfterNanos(end, clock.nanos());
        } else {
            setDueMillis(end, Long.MIN_VALUE);
        }
        horizon.beginOvertaking(); // and never end it: from now on the looper checks the stack before every message
        boolean first = stack.close(end);
        // Wake even if another thread closed the stack first, since that thread may be preempted. Wake before dropping:
        // dropping completes futures, so user code may run in it and delay the wakeup.
        wakeIfParked();
        if (first) {
            dropFrom(end);
        }
    }

    @Override
    boolean isQuitting() {
        return MessageStack.isEnd(stack.topVolatile());
    }

    /** Drops the messages that do not run after quitting. */
    private void dropFrom(Node end) {
        for (Node m = nextOpaque(end); m != null; m = nextOpaque(m)) {
            if (!isDueBefore(m, end)) {
                ((Message) m).tryRemove();
            }
        }
    }

    /** A message with a copy of its due time, which therefore does not change during a sort. */
    private record Waiting(Message message, long when, int fraction) {}

    @Override
    List<Message> snapshot() {
        List<Waiting> front = new ArrayList<>();
        List<Waiting> others = new ArrayList<>();
        Node top = stack.topVolatile();
        for (Node m = firstBelow(top); m != null; m = nextOpaque(m)) {
            Waiting waiting = new Waiting((Message) m, when(m), fraction(m));
            if (isKept(m, top) && wasIntact(m)) {
                (waiting.when == 0 ? front : others).add(waiting);
            }
        }
        // The newest message came first. Of messages with equal times, the oldest runs first, except at the front of
        // the queue.
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
        if (!backlog.hasDueAt(pollResult.lookedAt)) {
            return null;
        }
        unlinkIncrementally();
        return (Message) backlog.take(pollResult.lookedAt, MAX_LOOKS);
    }

    @Override
    @Nullable
    Message poll(long nanos, boolean arm) {
        waitState.setAwakeOpaque();
        spinning.sleepEnded(nanos);
        pollResult.lookedAt = nanos;
        unlinkIncrementally();
        for (int turns = 1; ; turns++) {
            Node message = backlog.take(nanos, MAX_LOOKS);
            if (message != null) {
                return (Message) message;
            }
            pollResult.deadline = backlog.deadline();
            pollResult.idle = backlog.barrierSince() > nanos;
            pollResult.ended = backlog.hasEnded();
            if (arm && !pollResult.ended && spinning.spinForMessages(backlog)) {
                return pollAgainNow(nanos);
            }
            if (arm && turns == 1 && generations.isPurgeDue(removals.get())) {
                purge();
                continue; // the dead message may have been a barrier
            }
            backlog.settle(); // the remaining messages may stay for long
            if (!arm || pollResult.ended) {
                return null;
            }
            // publish the sleep and check again: see WaitState
            waitState.setParkedVolatile(new WaitState.Parked(
                    Math.min(pollResult.deadline, backlog.barrierSince()),
                    pollResult.deadline,
                    generations.removalsTolerated()));
            if (!backlog.hasNewMessagesVolatile() && !backlog.isBarrierRemovedVolatile()) {
                spinning.sleepStarted(nanos);
                return null;
            }
            waitState.setAwakeOpaque();
            if (turns == MAX_LOOKS) {
                return pollAgainNow(nanos);
            }
        }
    }

    /**
     * Makes the caller poll again at once, with a new time, without taking a message. Otherwise a new message that is
     * not due at the old time could delay messages that have become due meanwhile.
     */
    private @Nullable Message pollAgainNow(long nanos) {
        pollResult.deadline = nanos;
        pollResult.idle = false;
        return null;
    }

    private void unlinkIncrementally() {
        if (removals.get() >= generations.removalsTolerated()) {
            purge();
        } else {
            backlog.unlinkIncrementally();
        }
    }

    private void purge() {
        removals.set(0); // before the purge, which may miss messages removed from now on
        backlog.purge();
    }

    @Override
    void release() {
        Node top = stack.topAcquire();
        for (Node m = firstBelow(top); m != null; m = nextOpaque(m)) {
            ((Message) m).tryRemove();
        }
        backlog.clear();
        gate.close();
    }
}

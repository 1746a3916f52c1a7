package dev.unjank.looper;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * The queue in which nobody waits for a lock.
 *
 * <p>It follows the published design of the message queue of Android 17: insertion and ordering are separate, and the
 * ordering belongs to the looper alone.
 *
 * <pre>
 *   producers ── push ──▶ MessageStack ── drain ──▶ MessageHeap × 2 ── take ──▶ loop
 *                             ▲    │                     ▲
 *                     unlink  │    │ traverse            │ unlink
 *                             │    ▼                     │
 *                          looper  anyone ── remove ──▶ RemovedList ── sweep ──▶ looper
 * </pre>
 *
 * <ul>
 *   <li><b>Sending</b> is one compare-and-set on the top of a {@link MessageStack} and one read of the {@link
 *       WaitState}; only if the looper sleeps past the message's time is it woken.
 *   <li><b>Ordering.</b> Before each decision the looper drains the stack into two heaps, one for asynchronous messages
 *       and one for the others and for barriers, so that the first message that may pass a barrier is at hand. The
 *       order on the stack is the order of sending, so the looper numbers the messages as it drains them, and
 *       producers share no counter. At the front of the queue numbers run backwards.
 *   <li><b>Removing</b> a message is winning a compare-and-set on its state ({@link Node}), against the looper and
 *       against other removers. The payload is freed there and then; the tombstone goes by way of a {@link
 *       RemovedList} to the looper, which unlinks it. Traversal by any thread beside the looper's unlinking is safe:
 *       see {@link MessageStack}.
 *   <li><b>Rubbish is bounded</b>: if tombstones gather while the looper sleeps, it is woken to sweep them.
 *   <li><b>Quitting</b> closes the stack with an end marker, which says what is still to be run. Every message is below
 *       it, and is run or dropped, or was refused; there is nothing in between. Whoever quits drops what is to be
 *       dropped, so it is gone when quit returns, looper or no looper.
 *   <li><b>The waker</b> is used inside a {@link QuitGate} and freed when the last user has left.
 * </ul>
 *
 * <p><b>Guarantees.</b> Sending, quitting, and removing or taking one message are linearizable, as operations on the set of
 * messages that wait: sending at the compare-and-set on the top; removing or taking, at the one on the message's state;
 * quitting, at the push of the marker. Sending is lock-free: a producer retries only because another has succeeded.
 * Removing and asking are wait-free: they visit what was there when they began, each message once, and nobody
 * can make the visit longer.
 *
 * <p><b>Not guaranteed.</b> Asking answers true only if a match was there when it was visited, and false only if each
 * match that was there at the beginning had gone when it was visited; if one match is replaced by another during the call,
 * that one may be missed. (To start again on what has come meanwhile would make it linearizable, and would let producers
 * keep a looper asking for ever.) Removing many messages is not one step: each of them goes atomically, and what is sent
 * meanwhile stays. Which message the looper takes was decided when it drained the stack: one that is sent between that
 * and the taking waits for the next turn, even if it goes to the front. (It cannot be a barrier that should have stopped
 * the one being taken: what is due goes before a barrier posted now.)
 */
final class LockFreeQueue extends MessageQueue {
    /**
     * How many tombstones may gather before a sleeping looper is woken to sweep them. They cost memory and are in the way
     * of every later traversal, which is for fewer; a wake-up costs a switch of threads, which is for more.
     */
    static final int RUBBISH_BOUND = 128;

    /**
     * How often the looper looks again because a message has died that might have been next. A bound, so that threads
     * that go on sending and removing cannot keep it from its work; after that it goes by what it knows, as if the last
     * of them had come too late.
     */
    private static final int MAX_LOOKS = 16;

    final MessageStack stack = new MessageStack();
    final RemovedList removed = new RemovedList();
    final WaitState waitState = new WaitState();
    private final QuitGate gate;

    // These belong to the looper.
    /** Synchronous messages, and barriers. */
    private final MessageHeap synchronous = new MessageHeap();

    private final MessageHeap asynchronous = new MessageHeap();
    private long lastSequence;
    private long frontSequence;
    /** The end marker, once the looper has drained it: then there is nothing to come. */
    private @Nullable Message end;

    LockFreeQueue(Clock clock, Waker waker) {
        super(clock, waker);
        gate = new QuitGate(waker::close);
    }

    // ---- any thread

    @Override
    boolean insert(Message message) {
        if (!stack.push(message)) {
            return false;
        }
        WaitState.Parked parked = waitState.parkedVolatile();
        if (parked != null && parked.mustEndFor(message)) {
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
        if (gate.enter()) {
            try {
                waker.wake();
            } finally {
                gate.leave();
            }
            waitState.casParkedToAwake(parked);
        }
    }

    @Override
    boolean has(Predicate<Message> match) {
        Message top = stack.topVolatile();
        for (Message m = firstBelow(top); m != null; m = m.nextOpaque()) {
            if (m.isQueued() && isKept(m, top) && match.test(m) && m.wasIntact()) {
                return true;
            }
        }
        return false;
    }

    @Override
    boolean glimpse(Predicate<Message> match) {
        return has(match);
    }

    @Override
    boolean remove(Predicate<Message> match) {
        Message top = stack.topVolatile();
        boolean any = false;
        for (Message m = firstBelow(top); m != null; m = m.nextOpaque()) {
            if (m.isQueued() && isKept(m, top) && match.test(m)) {
                any |= tryRemove(m);
            }
        }
        return any;
    }

    @Override
    boolean cancel(Message message) {
        return isKept(message, stack.topVolatile()) && tryRemove(message);
    }

    private static @Nullable Message firstBelow(@Nullable Message top) {
        return top != null && MessageStack.isEnd(top) ? top.nextOpaque() : top;
    }

    /** False if the queue has been quit and that dropped this message, whether or not its tombstone is there yet. */
    private static boolean isKept(Message message, @Nullable Message top) {
        return top == null || !MessageStack.isEnd(top) || message.when < top.when;
    }

    private boolean tryRemove(Message message) {
        if (!message.tryRemove()) {
            return false;
        }
        if (removed.push(message) >= RUBBISH_BOUND) {
            wakeIfParked();
        }
        return true;
    }

    @Override
    boolean isIdleAt(long now) {
        return !has(m -> m.when <= now);
    }

    @Override
    boolean removeBarrier(int token) {
        if (!remove(Match.barrier(token))) {
            return false;
        }
        wakeIfParked();
        return true;
    }

    @Override
    void quit(boolean safely) {
        Message end = Message.end(safely ? clock.uptimeMillis() + 1 : Long.MIN_VALUE);
        if (stack.close(end)) {
            // first, since dropping may run code of the user, who waits for the result of what is dropped
            wakeIfParked();
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
            if (m.when >= end.when) {
                tryRemove(m);
            }
        }
    }

    @Override
    List<Message> snapshot() {
        List<Message> front = new ArrayList<>();
        List<Message> others = new ArrayList<>();
        Message top = stack.topVolatile();
        for (Message m = firstBelow(top); m != null; m = m.nextOpaque()) {
            if (m.isQueued() && isKept(m, top)) {
                (m.when == 0 ? front : others).add(m);
            }
        }
        // ties are in the order of sending, but the traversal went from the newest down, as the front of the queue does
        Collections.reverse(others);
        front.addAll(others);
        front.sort(Comparator.comparingLong(m -> m.when));
        return front;
    }

    // ---- the looper

    @Override
    @Nullable
    Message poll(long now, boolean arm) {
        waitState.setAwakeOpaque();
        for (; ; ) {
            // 1. catch up with what was sent and removed
            for (int looks = 1; sweep(now) && looks < MAX_LOOKS; looks++) {
                // a message that might have been next has died meanwhile: look again
            }
            // 2. the first message that may be delivered; a barrier leaves the asynchronous ones
            Message first = synchronous.first();
            Message firstAsynchronous = asynchronous.first();
            long stalledSince = first != null && first.kind == Node.BARRIER ? first.when : NEVER;
            Message next = stalledSince != NEVER || asynchronous.goesFirst(synchronous) ? firstAsynchronous : first;
            if (next != null && next.when <= now) {
                if (take(next)) {
                    return next;
                }
                continue;
            }
            // 3. nothing: until when?
            deadline = next == null ? NEVER : next.when;
            idle = stalledSince > now;
            // the caller's time may be older than that of a safe quit, which then leaves something to wait for
            ended = end != null && next == null;
            if (!arm || ended) {
                return null;
            }
            // 4. announce the sleep, and look again: see WaitState
            waitState.setParkedVolatile(new WaitState.Parked(Math.min(deadline, stalledSince), deadline));
            if (!stack.hasNewsVolatile() && removed.isEmptyVolatile()) {
                return null;
            }
            waitState.setAwakeOpaque();
        }
    }

    /**
     * Catches up with what was sent and removed, and leaves live messages at the top of both heaps. Returns true if one
     * that was due has died meanwhile: before it died another may have been sent that is to go before all that is known
     * here, or the queue may have been quit. What dies before its time, as most timeouts do, makes no difference.
     */
    private boolean sweep(long now) {
        boolean dueHasDied = false;
        // the removed ones first: they were sent before they were removed, so the drain that follows has seen them all
        Message tombstone = removed.takeAll();
        for (Message m = stack.drain(); m != null; m = m.newer) {
            if (MessageStack.isEnd(m)) {
                end = m;
            } else if (m.isQueued()) {
                heapOf(m).add(m, m.when == 0 ? --frontSequence : ++lastSequence);
            } else {
                dueHasDied |= m.when <= now;
            }
        }
        while (tombstone != null) {
            Message following = tombstone.nextRemoved;
            tombstone.nextRemoved = null;
            heapOf(tombstone).remove(tombstone);
            stack.unlink(tombstone);
            tombstone = following;
        }
        dueHasDied |= shedDead(synchronous, now);
        dueHasDied |= shedDead(asynchronous, now);
        return dueHasDied;
    }

    private MessageHeap heapOf(Message message) {
        return message.kind == Node.ASYNCHRONOUS ? asynchronous : synchronous;
    }

    /** Takes out of a heap what will not be delivered, as far as it stands first; true if any of it was due. */
    private boolean shedDead(MessageHeap heap, long now) {
        boolean any = false;
        for (Message m = heap.first(); m != null && !(m.isQueued() && isKept(m, end)); m = heap.first()) {
            heap.remove(m);
            any |= m.when <= now;
        }
        return any;
    }

    /** Claims a message for delivery; false if a remover was faster, and then its tombstone is yet to be swept. */
    private boolean take(Message message) {
        heapOf(message).remove(message);
        if (!message.casQueuedToTaken()) {
            return false;
        }
        stack.unlink(message);
        return true;
    }

    @Override
    void release() {
        Message top = stack.topAcquire();
        for (Message m = firstBelow(top); m != null; m = m.nextOpaque()) {
            tryRemove(m);
        }
        sweep(clock.uptimeMillis());
        gate.close();
    }
}

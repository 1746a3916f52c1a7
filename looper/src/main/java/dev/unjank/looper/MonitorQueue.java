package dev.unjank.looper;

import static dev.unjank.looper.queue.NodeState.ASYNCHRONOUS;
import static dev.unjank.looper.queue.NodeState.BARRIER;
import static dev.unjank.looper.queue.NodeState.casQueuedToTaken;
import static dev.unjank.looper.queue.NodeState.dueNanos;
import static dev.unjank.looper.queue.NodeState.isDueAt;
import static dev.unjank.looper.queue.NodeState.isDueBefore;
import static dev.unjank.looper.queue.NodeState.isQueued;
import static dev.unjank.looper.queue.NodeState.kind;
import static dev.unjank.looper.queue.NodeState.nextOpaque;
import static dev.unjank.looper.queue.NodeState.nextPlain;
import static dev.unjank.looper.queue.NodeState.setNextPlain;
import static dev.unjank.looper.queue.NodeState.setQueuedPlain;
import static dev.unjank.looper.queue.NodeState.when;

import dev.unjank.looper.queue.Node;
import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.spi.Waker;
import dev.unjank.looper.util.Nullable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/**
 * The monitor queue: a linked list sorted by time, guarded by one monitor.
 *
 * <p>It follows the published design of the message queue of Android up to version 16. Every operation holds the
 * monitor for its complete duration. Inserting walks over the list from the earliest message to the place of the new
 * one; removing and searching walk over the whole list; the looper blocks outside the monitor and is woken from inside
 * it. So the queue is simple, and its results are exact. But a thread that is preempted inside the monitor stalls all
 * other threads, including the looper, until it runs again.
 *
 * <p>This queue is the baseline for measurements of the lock-free queue, so it is deliberately neither optimized nor
 * slowed down.
 */
final class MonitorQueue extends MessageQueue {
    private final Object lock = new Object();

    // All fields are guarded by the lock.
    private @Nullable Node head;
    /** True if the looper sleeps or is about to, and relies on being woken. */
    private boolean blocked;

    private boolean quitting;
    private boolean released;

    MonitorQueue(Clock clock, Waker waker) {
        super(clock, waker);
    }

    @Override
    boolean insert(Message message) {
        synchronized (lock) {
            if (quitting) {
                return false;
            }
            Node previous = null;
            Node m = head;
            boolean behindBarrier = m != null && kind(m) == BARRIER;
            boolean asyncAhead = false;
            while (m != null && goesBefore(m, message)) {
                asyncAhead |= kind(m) == ASYNCHRONOUS;
                previous = m;
                m = nextPlain(m);
            }
            setQueuedPlain(message, 0);
            setNextPlain(message, m);
            boolean mustWake;
            if (previous == null) {
                head = message;
                mustWake = blocked && kind(message) != BARRIER;
            } else {
                setNextPlain(previous, message);
                // behind a barrier, only a new first asynchronous message must wake a sleeping looper
                mustWake = blocked && behindBarrier && kind(message) == ASYNCHRONOUS && !asyncAhead;
            }
            if (mustWake) {
                waker.wake();
            }
            return true;
        }
    }

    /**
     * Returns true if a queued message goes before a new one: messages with the same time are first come first served,
     * but reversed at time 0.
     */
    private static boolean goesBefore(Node queued, Node added) {
        return when(added) == 0 ? isDueBefore(queued, added) : !isDueBefore(added, queued);
    }

    @Override
    @Nullable
    Message poll(long nanos, boolean arm) {
        synchronized (lock) {
            Node previous = null;
            Node m = head;
            if (m != null && kind(m) == BARRIER) {
                do {
                    previous = m;
                    m = nextPlain(m);
                } while (m != null && kind(m) != ASYNCHRONOUS);
            }
            if (m != null && isDueAt(m, nanos)) {
                blocked = false;
                unlink(previous, m);
                casQueuedToTaken(m);
                return (Message) m;
            }
            pollResult.deadline = m == null ? NEVER : dueNanos(m);
            pollResult.idle = isIdleAt(nanos);
            pollResult.ended = quitting && m == null;
            blocked = arm && !pollResult.ended;
            return null;
        }
    }

    private void unlink(@Nullable Node previous, Node m) {
        if (previous == null) {
            head = nextPlain(m);
        } else {
            setNextPlain(previous, nextPlain(m));
        }
        setNextPlain(m, null);
    }

    @Override
    boolean remove(Predicate<Message> match) {
        return free(unlinkAll(match));
    }

    /** Unlinks the matching messages; returns the first of them, which links to the others. */
    private @Nullable Node unlinkAll(Predicate<Message> match) {
        synchronized (lock) {
            Node removed = null;
            Node lastRemoved = null;
            Node previous = null;
            Node m = head;
            while (m != null) {
                Node next = nextPlain(m);
                if (match.test((Message) m)) {
                    unlink(previous, m);
                    if (lastRemoved == null) {
                        removed = m;
                    } else {
                        setNextPlain(lastRemoved, m);
                    }
                    lastRemoved = m;
                } else {
                    previous = m;
                }
                m = next;
            }
            return removed;
        }
    }

    /**
     * Frees the removed messages; returns true if there were any. Not called under the lock, since user code may run.
     */
    private static boolean free(@Nullable Node removed) {
        Node m = removed;
        while (m != null) {
            Node next = nextPlain(m);
            setNextPlain(m, null);
            ((Message) m).tryRemove();
            m = next;
        }
        return removed != null;
    }

    @Override
    boolean cancel(Message message) {
        return remove(MessageMatcher.message(message));
    }

    @Override
    boolean has(Predicate<Message> match) {
        synchronized (lock) {
            for (Node m = head; m != null; m = nextPlain(m)) {
                if (match.test((Message) m)) {
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * Visits the messages outside the lock. The visit ends early if a visited message leaves the queue, since it then
     * has no successor.
     */
    @Override
    boolean scanUnlocked(Predicate<Message> match) {
        for (Node m = head; m != null; m = nextOpaque(m)) {
            if (isQueued(m) && match.test((Message) m)) {
                return true;
            }
        }
        return false;
    }

    @Override
    boolean isIdleAt(long nanos) {
        synchronized (lock) {
            return head == null || !isDueAt(head, nanos);
        }
    }

    @Override
    boolean removeBarrier(int token) {
        synchronized (lock) {
            if (!remove(MessageMatcher.barrier(token))) {
                return false;
            }
            // a looper that is still blocked by another barrier need not be woken
            boolean stillStalled = head != null && kind(head) == BARRIER;
            if (blocked && !stillStalled) {
                waker.wake();
            }
            return true;
        }
    }

    @Override
    void quit(boolean safely) {
        Node dropped;
        synchronized (lock) {
            if (quitting) {
                return;
            }
            quitting = true;
            long now = clock.nanos();
            dropped = unlinkAll(m -> !safely || !isDueAt(m, now));
            if (!released) {
                waker.wake();
            }
        }
        free(dropped);
    }

    @Override
    boolean isQuitting() {
        synchronized (lock) {
            return quitting;
        }
    }

    @Override
    void wakeUp() {
        synchronized (lock) {
            if (!released) {
                waker.wake();
            }
        }
    }

    @Override
    void release() {
        Node dropped;
        synchronized (lock) {
            dropped = unlinkAll(m -> true);
            if (!released) {
                released = true;
                waker.close();
            }
        }
        free(dropped);
    }

    @Override
    List<Message> snapshot() {
        synchronized (lock) {
            List<Message> messages = new ArrayList<>();
            for (Node m = head; m != null; m = nextPlain(m)) {
                messages.add((Message) m);
            }
            return Collections.unmodifiableList(messages);
        }
    }
}

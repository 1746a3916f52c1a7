package dev.unjank.looper;

import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.spi.Waker;
import dev.unjank.looper.util.Nullable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/**
 * The classic queue: one monitor around a linked list sorted by time.
 *
 * <p>It follows the published design of the message queue of Android up to version 16. Every operation holds the
 * monitor for its complete duration; inserting walks the list from the earliest message to the place of the new one;
 * removing and searching walk all of it; the looper blocks outside the monitor and is woken from inside it. So it is
 * simple, and its answers are exact. A thread that is preempted inside the monitor stalls all others, including the
 * looper, until it runs again.
 *
 * <p>This is the baseline for measuring the lock-free queue, so it is kept as it was: nothing has been made slower or
 * faster.
 */
final class MonitorQueue extends MessageQueue {
    private final Object lock = new Object();

    // All guarded by the lock.
    private @Nullable Message head;
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
            Message previous = null;
            Message m = head;
            boolean behindBarrier = m != null && m.kind() == Node.BARRIER;
            boolean asyncAhead = false;
            while (m != null && goesBefore(m, message)) {
                asyncAhead |= m.kind() == Node.ASYNCHRONOUS;
                previous = m;
                m = m.nextPlain();
            }
            message.setQueuedPlain(0);
            message.setNextPlain(m);
            boolean mustWake;
            if (previous == null) {
                head = message;
                mustWake = blocked && message.kind() != Node.BARRIER;
            } else {
                previous.setNextPlain(message);
                // behind a barrier only the first asynchronous message matters to a sleeping looper
                mustWake = blocked && behindBarrier && message.kind() == Node.ASYNCHRONOUS && !asyncAhead;
            }
            if (mustWake) {
                waker.wake();
            }
            return true;
        }
    }

    /** True if a queued message goes before a new one: ties are first come first served, but reversed at 0. */
    private static boolean goesBefore(Message queued, Message added) {
        return added.when == 0 ? queued.isDueBefore(added) : !added.isDueBefore(queued);
    }

    @Override
    @Nullable
    Message poll(long nanos, boolean arm) {
        synchronized (lock) {
            Message previous = null;
            Message m = head;
            if (m != null && m.kind() == Node.BARRIER) {
                do {
                    previous = m;
                    m = m.nextPlain();
                } while (m != null && m.kind() != Node.ASYNCHRONOUS);
            }
            if (m != null && m.isDueAt(nanos)) {
                blocked = false;
                unlink(previous, m);
                m.casQueuedToTaken();
                return m;
            }
            pollResult.deadline = m == null ? NEVER : m.dueNanos();
            pollResult.idle = isIdleAt(nanos);
            pollResult.ended = quitting && m == null;
            blocked = arm && !pollResult.ended;
            return null;
        }
    }

    private void unlink(@Nullable Message previous, Message m) {
        if (previous == null) {
            head = m.nextPlain();
        } else {
            previous.setNextPlain(m.nextPlain());
        }
        m.setNextPlain(null);
    }

    @Override
    boolean remove(Predicate<Message> match) {
        return free(unlinkAll(match));
    }

    /** Takes out the matching messages; returns the first of them, linked to the others. */
    private @Nullable Message unlinkAll(Predicate<Message> match) {
        synchronized (lock) {
            Message removed = null;
            Message lastRemoved = null;
            Message previous = null;
            Message m = head;
            while (m != null) {
                Message next = m.nextPlain();
                if (match.test(m)) {
                    unlink(previous, m);
                    if (lastRemoved == null) {
                        removed = m;
                    } else {
                        lastRemoved.setNextPlain(m);
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

    /** Frees the removed messages; true if there were any. Not under the lock, since user code may wait for it. */
    private static boolean free(@Nullable Message removed) {
        Message m = removed;
        while (m != null) {
            Message next = m.nextPlain();
            m.setNextPlain(null);
            m.tryRemove();
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
            for (Message m = head; m != null; m = m.nextPlain()) {
                if (match.test(m)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Outside the lock: ends early if a message leaves during the visit, since it then has no successor. */
    @Override
    boolean scanUnlocked(Predicate<Message> match) {
        for (Message m = head; m != null; m = m.nextOpaque()) {
            if (m.isQueued() && match.test(m)) {
                return true;
            }
        }
        return false;
    }

    @Override
    boolean isIdleAt(long nanos) {
        synchronized (lock) {
            return head == null || !head.isDueAt(nanos);
        }
    }

    @Override
    boolean removeBarrier(int token) {
        synchronized (lock) {
            if (!remove(MessageMatcher.barrier(token))) {
                return false;
            }
            // a looper behind another barrier has nothing new to do
            boolean stillStalled = head != null && head.kind() == Node.BARRIER;
            if (blocked && !stillStalled) {
                waker.wake();
            }
            return true;
        }
    }

    @Override
    void quit(boolean safely) {
        Message dropped;
        synchronized (lock) {
            if (quitting) {
                return;
            }
            quitting = true;
            long now = clock.nanos();
            dropped = unlinkAll(m -> !safely || !m.isDueAt(now));
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
        Message dropped;
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
            for (Message m = head; m != null; m = m.nextPlain()) {
                messages.add(m);
            }
            return Collections.unmodifiableList(messages);
        }
    }
}

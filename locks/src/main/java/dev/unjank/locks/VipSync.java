package dev.unjank.locks;

import dev.unjank.linux.Scheduling;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link VipLock} is taken and released. It extends the class by which thread dumps, Flight Recorder and
 * {@link java.lang.management.ThreadMXBean} know who owns a lock, and waiting threads park on it.
 *
 * <pre>
 * word                       meaning                                     becomes                    by
 * 0                          free, nobody waits                          owner                      who takes it
 * WAITERS                    free, somebody waits and has been woken     owner | WAITERS            who takes it, woken or not
 * owner                      owned                                       0                          the owner
 *                                                                        owner | WAITERS            who waits; the owner, who signals
 *                                                                        owner | LENT               the owner, to itself
 * owner | WAITERS            owned, and somebody waits: its release      next owner | WAITERS       the owner, who gives it away
 *                            has to look                                 WAITERS                    the owner, who wakes somebody
 *                                                                        0                          the owner, who found nobody
 *                                                                        owner | WAITERS | LENT     who lends to the owner
 * owner [| WAITERS] | LENT   and the owner has been lent something       as without LENT            the owner, who gives the loan back
 * </pre>
 *
 * The owner is a thread's id, shifted. Every change is a volatile compare-and-set or exchange.
 *
 * <p><b>Nobody sleeps beside a free lock.</b> A waiter pushes itself, sees to it that WAITERS is set, and sleeps only if the word
 * it saw then was owned. The owner whose release finds WAITERS sorts what has arrived; when it finds nobody and frees the lock, it
 * looks once more whether somebody has arrived and takes the lock back if so. One who is woken, and finds the lock taken, declares
 * itself WAITING before it looks at the word again, and the releaser looks at that state after it has freed the word. One who gives
 * up after it was woken passes the wake-up on.
 *
 * <p><b>Given and left.</b> A VIP is given the lock: nobody can come between. An ordinary waiter is woken and has to take it, so a
 * thread that runs may come first; giving to everybody would let the lock lie idle for a switch of threads at each release. One who
 * has waited longer than the bound is given it as well, at most one such each time that the bound has passed.
 */
@SuppressWarnings("serial") // is not to be serialized: see writeObject
final class VipSync extends AbstractOwnableSynchronizer {
    private static final long serialVersionUID = 1;

    static final long FREE = 0;
    static final long WAITERS = 1;
    static final long LENT = 2;
    private static final int SHIFT = 2;

    /** Chains of owners that wait for owners are followed so far: longer ones are hardly more than a circle. */
    private static final int LONGEST_CHAIN = 64;

    private static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(VipSync.class, "word", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("UnusedVariable") // through WORD
    private long word;

    /** How often the owner has taken it again. The owner's. */
    private int again;

    /**
     * Who took it last: that thread has a {@link Standing}, so there is no need to look. Read and written without order; a wrong
     * value costs a look, for a thread's id is never another's.
     */
    private long registered;

    private final transient WaitQueue queue;
    private final transient LongSupplier clock;

    VipSync(WaitQueue queue, LongSupplier clock) {
        this.queue = queue;
        this.clock = clock;
    }

    // ---- taking it

    void lock() {
        if (!tryLock()) {
            Waiter me = waiter(true, Waiter.WAITING);
            try {
                arrive(me, false, Long.MAX_VALUE);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    void lockInterruptibly() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (!tryLock()) {
            arrive(waiter(true, Waiter.WAITING), true, Long.MAX_VALUE);
        }
    }

    boolean tryLock(long nanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return tryLock() || (nanos > 0 && arrive(waiter(false, Waiter.WAITING), true, nanos));
    }

    boolean tryLock() {
        Thread thread = Thread.currentThread();
        long owner = thread.threadId() << SHIFT;
        if (casWord(FREE, owner)) {
            taken(thread);
            return true;
        }
        long seen = wordVolatile();
        if (seen >> SHIFT == thread.threadId()) {
            if (again == Integer.MAX_VALUE) {
                throw new Error("the lock has been taken too often by its owner");
            }
            again++;
            return true;
        }
        if (seen == WAITERS && casWord(WAITERS, owner | WAITERS)) {
            taken(thread);
            inherit();
            return true;
        }
        return false;
    }

    private void taken(Thread thread) {
        if (registered != thread.threadId()) {
            Standing.current();
            registered = thread.threadId();
        }
        setExclusiveOwnerThread(thread);
    }

    private Waiter waiter(boolean isForever, int state) {
        Standing standing = Standing.current();
        return new Waiter(standing, standing.importance(), clock.getAsLong(), isForever, state);
    }

    private boolean arrive(Waiter me, boolean interruptibly, long nanos) throws InterruptedException {
        queue.push(me);
        return await(me, interruptibly, nanos);
    }

    /**
     * Waits for the lock, as one whose place in the queue is taken.
     *
     * @param nanos how long, Long.MAX_VALUE for ever
     * @return whether the thread owns the lock now
     */
    private boolean await(Waiter me, boolean interruptibly, long nanos) throws InterruptedException {
        Standing standing = me.standing;
        long start = nanos == Long.MAX_VALUE ? 0 : System.nanoTime();
        boolean interrupted = false;
        boolean owns = false;
        long lentTo = 0;
        standing.waiting = new Standing.Wait(this, me);
        try {
            while (!owns) {
                int state = me.stateVolatile();
                long seen = wordVolatile();
                long left = nanos == Long.MAX_VALUE ? nanos : nanos - (System.nanoTime() - start);
                if (state == Waiter.GRANTED) {
                    registered = standing.id;
                    inherit();
                    owns = true;
                } else if (state == Waiter.CLAIMED) {
                    park(Long.MAX_VALUE);
                    interrupted |= Thread.interrupted();
                } else if (seen >> SHIFT == 0) {
                    owns = takeFree(me, seen);
                } else if ((seen & WAITERS) == 0) {
                    casWord(seen, seen | WAITERS);
                } else if (state == Waiter.WOKEN) {
                    me.casState(Waiter.WOKEN, Waiter.WAITING); // and look at the word once more
                } else if (interruptibly && interrupted) {
                    if (me.cancel()) {
                        leave();
                        interrupted = false;
                        throw new InterruptedException();
                    }
                } else if (left <= 0) {
                    if (me.cancel()) {
                        leave();
                        return false;
                    }
                } else if (seen >> SHIFT != lentTo) {
                    lendAlong(me, seen >> SHIFT);
                    lentTo = seen >> SHIFT;
                } else {
                    park(left);
                    interrupted |= Thread.interrupted();
                }
            }
            return true;
        } finally {
            standing.waiting = null;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void park(long nanos) {
        if (nanos == Long.MAX_VALUE) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, nanos);
        }
    }

    private boolean takeFree(Waiter me, long seen) {
        if (!casWord(seen, me.standing.id << SHIFT | WAITERS)) {
            return false;
        }
        taken(Thread.currentThread());
        me.setStateVolatile(Waiter.DONE); // on the stack, it is dropped by the next to sort
        queue.remove(me);
        inherit();
        return true;
    }

    /** One has given up waiting: whoever is left must not sleep beside a free lock. */
    private void leave() {
        boolean isMoved = queue.sweep();
        while (true) {
            long seen = wordVolatile();
            if (seen >> SHIFT != 0) {
                if (!isMoved || (seen & WAITERS) != 0 || casWord(seen, seen | WAITERS)) {
                    return;
                }
            } else if (seen == FREE && !isMoved) {
                return;
            } else {
                Thread thread = Thread.currentThread();
                if (casWord(seen, thread.threadId() << SHIFT | WAITERS)) {
                    releaseSlowly(thread.threadId() << SHIFT);
                    return;
                }
            }
        }
    }

    // ---- releasing it

    void unlock() {
        Thread thread = Thread.currentThread();
        checkOwner(thread);
        if (again > 0) {
            again--;
        } else {
            release(thread);
        }
    }

    private void release(Thread thread) {
        setExclusiveOwnerThread(null);
        long owner = thread.threadId() << SHIFT;
        if (!casWord(owner, FREE)) {
            releaseSlowly(owner);
        }
    }

    private void releaseSlowly(long owner) {
        boolean lent = false;
        while (true) {
            queue.sort();
            long now = clock.getAsLong();
            Waiter next = queue.next(now);
            if (next == null) {
                long seen = wordVolatile();
                if (!casWord(seen, FREE)) {
                    continue; // somebody lends, or has arrived
                }
                lent |= (seen & LENT) != 0;
                if (!queue.hasArrivals() || !casWord(FREE, owner | WAITERS)) {
                    break;
                }
            } else if (queue.isGivenTo(next, now)) {
                queue.remove(next);
                if (next.claim()) {
                    setExclusiveOwnerThread(next.standing.thread());
                    lent |= (getAndSetWord(next.standing.id << SHIFT | WAITERS) & LENT) != 0;
                    next.grant();
                    break;
                }
            } else {
                lent |= (getAndSetWord(WAITERS) & LENT) != 0;
                if (next.wake() || !casWord(WAITERS, owner | WAITERS)) {
                    break;
                }
            }
        }
        if (lent) {
            Standing.current().giveBack(this);
        }
    }

    // ---- lending

    /** Sets LENT if the lock is owned by a thread. Called under the guard of that thread's standing. */
    boolean markLent(long id) {
        while (true) {
            long seen = wordVolatile();
            if (seen >> SHIFT != id) {
                return false;
            }
            if ((seen & LENT) != 0 || casWord(seen, seen | LENT)) {
                return true;
            }
        }
    }

    /** The new owner counts as much as those that go on waiting for it. */
    private void inherit() {
        queue.sort();
        Importance highest = queue.highest();
        if (highest.isImportant()) {
            Standing standing = Standing.current();
            standing.lend(this, highest, standing.toLend(highest));
        }
    }

    /** Lends to the owner, to the owner of what that waits for, and so on; says so if this leads back to the thread itself. */
    private void lendAlong(Waiter me, long ownerId) {
        Importance importance = me.importance.or(me.standing.lent());
        Scheduling scheduling = importance.isImportant() ? me.standing.toLend(importance) : null;
        VipSync lock = this;
        long id = ownerId;
        for (int length = 0; length < LONGEST_CHAIN; length++) {
            Standing owner = Standing.of(id);
            if (owner == null || (importance.isImportant() && !owner.lend(lock, importance, scheduling))) {
                return; // it was on its way out; the next owner looks for itself
            }
            Standing.Wait wait = owner.waiting;
            if (wait == null) {
                return;
            }
            if (importance.isImportant()) {
                wait.lock().queue.raise(wait.waiter(), importance);
            }
            lock = wait.lock();
            id = lock.wordVolatile() >> SHIFT;
            if (id == me.standing.id) {
                Deadlock.check(me.standing);
                return;
            }
        }
    }

    // ---- for conditions

    /** Releases it however often it was taken, and says how often that was. */
    int releaseFully() {
        int times = again;
        again = 0;
        release(Thread.currentThread());
        return times;
    }

    /** One that was signalled takes the lock again as often as before. */
    void lockSignalled(Waiter me, int times) {
        try {
            await(me, false, Long.MAX_VALUE);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        again = times;
    }

    /** One that has stopped waiting to be signalled takes the lock again as often as before. */
    void lockUnsignalled(int times) {
        lock();
        again = times;
    }

    /** A waiter of a condition, which is not signalled yet. */
    Waiter conditionWaiter() {
        return waiter(true, Waiter.CONDITION);
    }

    /** The owner has a waiter of a condition wait for the lock; false if that has stopped waiting to be signalled. */
    boolean transfer(Waiter waiter) {
        if (!waiter.casState(Waiter.CONDITION, Waiter.WAITING)) {
            return false;
        }
        waiter.since = clock.getAsLong();
        queue.add(waiter);
        getAndBitwiseOrWord(WAITERS);
        if (waiter.importance.isImportant()) {
            inherit();
        }
        return true;
    }

    // ---- for those who ask

    void checkOwner(Thread thread) {
        if (ownerId() != thread.threadId()) {
            throw new IllegalMonitorStateException(
                    thread.getName() + " does not own the lock; its owner is " + name(getExclusiveOwnerThread()));
        }
    }

    static String name(@Nullable Thread thread) {
        return thread == null ? "nobody" : "thread " + thread.getName();
    }

    boolean isLocked() {
        return wordVolatile() >> SHIFT != 0;
    }

    @Nullable
    Thread owner() {
        return isLocked() ? getExclusiveOwnerThread() : null;
    }

    /** The id of the owner, 0 if there is none. */
    long ownerId() {
        return wordVolatile() >> SHIFT;
    }

    int holdCount() {
        return ownerId() == Thread.currentThread().threadId() ? again + 1 : 0;
    }

    WaitQueue queue() {
        return queue;
    }

    @Override
    public String toString() {
        return "VipLock@" + Integer.toHexString(System.identityHashCode(this))
                + (isLocked() ? "[locked by " + name(owner()) + "]" : "[unlocked]");
    }

    private void writeObject(ObjectOutputStream out) throws NotSerializableException {
        throw new NotSerializableException(VipLock.class.getName());
    }

    // ---- access

    private long wordVolatile() {
        return (long) WORD.getVolatile(this);
    }

    private boolean casWord(long expected, long replacement) {
        return WORD.compareAndSet(this, expected, replacement);
    }

    private long getAndSetWord(long replacement) {
        return (long) WORD.getAndSet(this, replacement);
    }

    private void getAndBitwiseOrWord(long bits) {
        long ignored = (long) WORD.getAndBitwiseOr(this, bits);
    }
}

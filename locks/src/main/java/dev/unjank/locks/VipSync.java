package dev.unjank.locks;

import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The base class of this package's locks: an atomic state word, a queue of waiters, and the selection of the next
 * owner. Waiting threads park on this {@link AbstractOwnableSynchronizer}, so thread dumps, JFR and {@link
 * java.lang.management.ThreadMXBean} show the owner of the lock.
 *
 * <pre>
 * bit       meaning                                         set by                                    cleared by
 * WAITERS   threads wait and none of them has been woken:   an arriving thread; a woken thread        the chooser, when no thread waits
 *           newcomers queue up, and a release must choose   after its attempt                         or when it wakes a waiter to try
 * BUSY      a chooser is active, with exclusive access to   if BUSY is clear: a thread that           the chooser
 *           the lists of the queue                          releases; one that arrives, gives up, or
 *                                                           was woken and has tried to acquire, if
 *                                                           anything is available; a donor that
 *                                                           gives up, in any case
 * RECHECK   the chooser must check again                    the same threads, if BUSY is set          the chooser, before it checks
 * </pre>
 *
 * The chooser is the thread that is selecting the next owner. The higher bits hold the state of the subclass: an owner,
 * shares or permits. Every change is a volatile compare-and-set.
 *
 * <p><b>No waiter sleeps while the lock is available to it.</b> A waiter pushes itself on the queue and then sets
 * WAITERS. If the lock is available, the waiter becomes the chooser, or makes the active chooser check again. Every
 * thread that releases or stops waiting does the same. If threads wait while WAITERS is clear, one of them has been
 * woken. The woken waiter tries to acquire and then sets WAITERS again, whether or not it got the lock; if it gives up
 * concurrently, the thread that woke it sets WAITERS. So if a thread sleeps in the queue, then either the next release
 * chooses, or a chooser is active, or the available amount is not enough for the next waiter.
 *
 * <p><b>Grant and barging.</b> An important waiter is granted the lock, so no other thread can barge in. An ordinary
 * waiter is woken and must take the lock itself, so a running thread may barge in. If the lock were always granted, it
 * would be idle for a context switch at each release. A waiter that has waited longer than the bound is granted the
 * lock, too.
 */
@SuppressWarnings("serial") // not serializable: writeObject throws
abstract class VipSync extends AbstractOwnableSynchronizer {
    private static final long serialVersionUID = 1;

    static final long FREE = 0;
    static final long BUSY = 1;
    static final long RECHECK = 1 << 1;
    static final long WAITERS = 1 << 2;

    /** The position of the lowest bit that the subclass uses. */
    static final int STATE_SHIFT = 6;

    /** No timeout. */
    static final long FOREVER = Long.MAX_VALUE;

    /** Returned instead of a state word if the requested amount is not available. */
    static final long NONE = -1;

    /**
     * Spins before parking. The spin lock of a {@link LockThread}, its guard, is held for at most two system calls;
     * spinning longer may keep the guard's holder off the CPU.
     */
    private static final int SPINS = 64;

    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

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

    private final transient WaitQueue queue;

    VipSync(WaitQueue queue) {
        this.queue = queue;
        PriorityTier.begin();
    }

    // ---- implemented by subclasses

    /** Returns whether anything is available; if not, choosing is useless. */
    abstract boolean isOpen(long word);

    /** Returns the word after a waiter has taken its amount, or {@link #NONE} if that is not available. */
    abstract long taken(long word, Waiter waiter);

    /**
     * Called after a waiter has acquired the lock, by the waiter or the granting thread, before the waiter continues.
     */
    void onGranted(Waiter waiter) {}

    /** Returns the known holders, to which waiters donate. */
    abstract List<LockThread> holders();

    /**
     * Marks that a holder has received a donation; returns false if the thread holds nothing. Called under the guard of
     * {@code holder}.
     */
    abstract boolean markLent(LockThread holder);

    // ---- waiting (subclasses make the first attempt to acquire: a virtual call from here would be megamorphic)

    /** Acquires, waiting without a timeout. An interrupt does not end the wait. */
    final void acquire(int amount) {
        Waiter me = waiter(amount, true, Waiter.WAITING);
        enqueue(me);
        awaitTurn(me);
    }

    /**
     * Acquires, waiting at most {@code nanos}; does not wait if {@code nanos} is not positive.
     *
     * @param nanos the timeout, or {@link #FOREVER}
     * @return whether the thread has acquired the requested amount
     */
    final boolean acquire(int amount, long nanos) throws InterruptedException {
        if (nanos <= 0) {
            return false;
        }
        Waiter me = waiter(amount, nanos == FOREVER, Waiter.WAITING);
        enqueue(me);
        return awaitTurn(me, true, nanos);
    }

    /** Throws if the calling thread is interrupted. Called at the start of every interruptible method. */
    static void checkInterrupt() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    final Waiter waiter(int amount, boolean isForever, int state) {
        return queue.waiter(this, LockThread.current(), amount, isForever, state);
    }

    /** Adds a waiter to the queue. */
    final void enqueue(Waiter waiter) {
        queue.push(waiter);
        if (requestChoice()) {
            choose();
        }
    }

    /** Waits without a timeout; the waiter is already in the queue. */
    final void awaitTurn(Waiter me) {
        try {
            awaitTurn(me, false, FOREVER);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private boolean awaitTurn(Waiter me, boolean interruptibly, long nanos) throws InterruptedException {
        long start = nanos == FOREVER ? 0 : me.nanoTime();
        boolean interrupted = false;
        long donatedFor = NONE;
        me.lockThread.waiting = me;
        try {
            while (true) {
                int state = me.stateVolatile();
                if (state == Waiter.GRANTED || (state == Waiter.WOKEN && tryWoken(me))) {
                    if (me.hasDonated) {
                        PriorityDonation.revoke(me); // from readers that still hold the lock
                    }
                    return true;
                } else if (state == Waiter.WAITING) {
                    long left = nanos == FOREVER ? FOREVER : nanos - (me.nanoTime() - start);
                    long heldAs = wordVolatile() >> STATE_SHIFT;
                    if (left <= 0 || (interruptibly && interrupted)) {
                        if (me.cancel()) {
                            queue.countCancelled();
                            recheckOwner();
                            if (me.hasDonated) {
                                revokeDonations(me);
                            }
                            if (left <= 0) {
                                return false;
                            }
                            interrupted = false;
                            throw new InterruptedException();
                        }
                    } else if (heldAs != donatedFor) {
                        donatedFor = heldAs;
                        PriorityDonation.along(me);
                    } else {
                        me.park(this, left);
                        interrupted |= Thread.interrupted();
                    }
                } else if (state == Waiter.CLAIMED) {
                    me.park(this, FOREVER);
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            me.lockThread.waiting = null;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Ends the donations of a waiter that has given up. The most important remaining waiter donates first, so the owner
     * always keeps a donation.
     */
    void revokeDonations(Waiter me) {
        donateAgain();
        PriorityDonation.revoke(me);
    }

    /** Makes the chooser donate for the most important waiter, even if nothing is available. */
    private void donateAgain() {
        while (true) {
            long seen = wordVolatile();
            boolean isMine = (seen & BUSY) == 0;
            if ((seen & WAITERS) == 0) {
                return; // no important waiter sleeps; woken and arriving waiters donate themselves
            }
            if (casWord(seen, isMine ? seen | BUSY : noted(seen))) {
                if (isMine) {
                    choose();
                }
                return;
            }
        }
    }

    /** Tries to take the amount of a woken waiter; fails if another thread was faster or a chooser is active. */
    private boolean tryWoken(Waiter me) {
        if (!me.begin()) {
            return false;
        }
        boolean has = false;
        long seen = wordVolatile();
        for (long next = NONE; !has && (seen & WAITERS) == 0 && (next = taken(seen, me)) != NONE; ) {
            has = casWord(seen, next);
            seen = wordVolatile();
        }
        if (has) {
            onGranted(me);
        }
        me.setStateVolatile(has ? Waiter.DONE : Waiter.WAITING);
        republishWaiters();
        return has;
    }

    /** Sets WAITERS after a woken waiter's attempt, so that the next waiter is chosen. */
    void republishWaiters() {
        if (requestChoice()) {
            choose();
        }
    }

    /**
     * Chooses again, because a waiter has stopped waiting or has become more important: the available amount may now be
     * enough for another waiter.
     */
    final void recheckOwner() {
        if ((wordVolatile() & WAITERS) != 0 && requestChoice()) {
            choose();
        }
    }

    /**
     * Publishes that a thread waits.
     *
     * @return whether the caller must choose the next owner
     */
    private boolean requestChoice() {
        while (true) {
            long seen = wordVolatile();
            boolean isMine = (seen & BUSY) == 0 && isOpen(seen);
            long next = (seen & BUSY) == 0 ? (isMine ? seen | BUSY | WAITERS : seen | WAITERS) : noted(seen | WAITERS);
            if (next == seen || casWord(seen, next)) {
                return isMine;
            }
        }
    }

    /** Returns the word with RECHECK set for the active chooser. */
    long noted(long word) {
        return word | RECHECK;
    }

    // ---- releasing

    /**
     * Releases, and makes sure that a waiter is chosen if any thread waits.
     *
     * @return false if the word has changed
     */
    final boolean tryRelease(long seen, long released) {
        if ((seen & WAITERS) == 0) {
            return casWord(seen, released);
        }
        if ((seen & BUSY) != 0) {
            return casWord(seen, noted(released));
        }
        if (!casWord(seen, released | BUSY)) {
            return false;
        }
        choose();
        return true;
    }

    /**
     * Chooses waiters until no thread waits, or one has been woken to try, or the available amount is not enough for
     * the next waiter. The caller has set BUSY.
     */
    private void choose() {
        long donatedFor = NONE;
        while (true) {
            long seen = clearNews();
            queue.sort();
            long now = queue.now();
            Waiter next = queue.next(now);
            if (next == null) {
                if (casWord(seen, seen & ~(BUSY | WAITERS))) {
                    return;
                }
                continue;
            }
            long taken = taken(seen, next);
            if (taken == NONE || next.stateVolatile() == Waiter.TRYING) {
                Waiter important = queue.mostImportant();
                if (casWord(seen, seen & ~BUSY)) {
                    if (important != null && seen >> STATE_SHIFT != donatedFor) {
                        PriorityDonation.along(important); // the holders may have changed during the wait
                    }
                    return;
                }
            } else if (queue.isGivenTo(next, now)) {
                if (grant(next, seen, taken)) {
                    donatedFor = taken >> STATE_SHIFT;
                }
            } else if (casWord(seen, seen & ~(BUSY | WAITERS)) && (wake(next) || !requestChoice())) {
                return;
            }
        }
    }

    /** Grants the lock to a waiter; returns whether the waiter has received a donation. */
    private boolean grant(Waiter next, long seen, long taken) {
        if (!next.claim()) {
            return false;
        }
        if (!casWord(seen, taken)) {
            next.releaseClaim();
            return false;
        }
        queue.remove(next);
        onGranted(next);
        Waiter important = isOpen(taken) ? null : queue.mostImportant();
        if (important != null) {
            PriorityDonation.along(important); // before the new owner runs: it may need the boost to run soon
        }
        next.grant();
        return important != null;
    }

    /** Makes one waiter try; returns false if it no longer waits and another one must be chosen. */
    boolean wake(Waiter next) {
        return next.wake();
    }

    // ---- monitoring

    @SuppressWarnings("ReferenceEquality") // locks are compared by identity
    final boolean is(VipSync other) {
        return this == other;
    }

    final WaitQueue queue() {
        return queue;
    }

    /**
     * Returns the waiting threads: all that wait throughout the call, and some of those that arrive or leave meanwhile.
     * The queue itself cannot be walked for that, since a chooser moves waiters between its lists.
     */
    List<Thread> queuedThreads() {
        return LockThread.waitersOf(this);
    }

    private void writeObject(ObjectOutputStream out) throws NotSerializableException {
        throw new NotSerializableException(getClass().getName());
    }

    static String name(@Nullable Thread thread) {
        if (thread == null) {
            return "no thread";
        }
        return "thread " + (thread.getName().isEmpty() ? "#" + thread.threadId() : thread.getName());
    }

    // ---- interleaving points, overridden by a test that enumerates schedules

    long wordVolatile() {
        return (long) WORD.getVolatile(this);
    }

    boolean casWord(long expected, long replacement) {
        return WORD.compareAndSet(this, expected, replacement);
    }

    long clearNews() {
        return (long) WORD.getAndBitwiseAnd(this, ~RECHECK) & ~RECHECK;
    }

    /** Pauses after {@code times} failed attempts, so that a donating or revoking thread can make progress. */
    void pause(int times) {
        if (times < SPINS) {
            Thread.onSpinWait();
        } else {
            LockSupport.parkNanos(this, PAUSE_NANOS); // not yield: it lets only threads of the same priority run
        }
    }
}

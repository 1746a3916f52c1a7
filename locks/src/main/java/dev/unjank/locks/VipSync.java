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
 * The base of the locks of this package: a word, a queue of waiters, and the choice of the next thread. It extends
 * {@link AbstractOwnableSynchronizer}, through which thread dumps, Flight Recorder and {@link
 * java.lang.management.ThreadMXBean} know the owner of a lock; waiting threads park on it.
 *
 * <pre>
 * bit       meaning                                              set by                               cleared by
 * WAITERS   threads wait and no awake thread handles it:         an arriving thread; a woken thread   the chooser, when no thread waits
 *           newcomers queue up, and a release must choose        that has tried, with any result      or when it wakes one to try
 * BUSY      a chooser is active: one thread has the right to     a thread that releases, arrives,     the chooser
 *           use the queue's lists                                has tried or given up, and finds it
 *                                                                clear; a donor that gives up always
 *                                                                chooses
 * NEWS      and must check again                                 the same, if they find BUSY set      the chooser, before it checks
 * </pre>
 *
 * The higher bits hold the state of the kind of lock: an owner, shares, permits. Every change is a volatile
 * compare-and-set.
 *
 * <p><b>No thread sleeps beside a free lock.</b> A waiter pushes itself on the queue, and then sets WAITERS; if the
 * lock is available it chooses, or makes the active chooser check again. Every thread that releases or stops waiting
 * does the same. While WAITERS is clear, one waiter has been woken: it tries, and sets WAITERS again whether or not it
 * got the lock; if it gives up at that moment, the thread that woke it sets WAITERS. So if a thread sleeps in the
 * queue, then either a release will choose, or a chooser is active, or the available amount is not enough for the next
 * waiter.
 *
 * <p><b>Grant and barging.</b> The lock is granted to an important waiter: no other thread can barge in. An ordinary
 * waiter is woken and must take the lock, so a running thread may barge. Granting always would leave the lock idle for
 * a context switch at each release. A waiter that has waited longer than the bound is granted the lock as well.
 */
@SuppressWarnings("serial") // is not to be serialized: see writeObject
abstract class VipSync extends AbstractOwnableSynchronizer {
    private static final long serialVersionUID = 1;

    static final long FREE = 0;
    static final long BUSY = 1;
    static final long NEWS = 1 << 1;
    static final long WAITERS = 1 << 2;

    /** The higher bits belong to the kind of lock. */
    static final int STATE_SHIFT = 6;

    /** No timeout. */
    static final long FOREVER = Long.MAX_VALUE;

    /** Not a word: the requested amount is not available. */
    static final long NONE = -1;

    /** A guard is held for one or two system calls; longer spinning may keep its holder off the CPU. */
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

    // ---- for kinds of locks

    /** Whether anything is available: if not, choosing is useless. */
    abstract boolean isOpen(long word);

    /** The word after a waiter has taken its amount; {@link #NONE} if that is not available. */
    abstract long taken(long word, Waiter waiter);

    /** A waiter has acquired. Called by itself or by the granting thread, before the waiter goes on. */
    void onGranted(Waiter waiter) {}

    /** The holders, as far as they are known: waiters donate to them. */
    abstract List<LockThread> holders();

    /**
     * Marks that a holder has received a donation; false if it holds nothing. Called under the guard of its {@link
     * LockThread}.
     */
    abstract boolean markLent(LockThread holder);

    // ---- waiting, after the kind of lock has tried itself: a call from here would be megamorphic

    /** Waits without timeout, uninterruptibly. */
    final void acquire(int amount) {
        Waiter me = waiter(amount, true, Waiter.WAITING);
        enqueue(me);
        awaitTurn(me);
    }

    /**
     * Waits, unless {@code nanos} is not positive.
     *
     * @param nanos the timeout, or {@link #FOREVER}
     * @return whether the thread has acquired
     */
    final boolean acquire(int amount, long nanos) throws InterruptedException {
        if (nanos <= 0) {
            return false;
        }
        Waiter me = waiter(amount, nanos == FOREVER, Waiter.WAITING);
        enqueue(me);
        return awaitTurn(me, true, nanos);
    }

    /** The check at the start of every interruptible method. */
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

    /** Waits without timeout; the waiter is already in the queue. */
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
                        PriorityDonation.revoke(me); // from readers that go on reading
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
                return; // no important waiter sleeps: one that was woken or arrives donates itself
            }
            if (casWord(seen, isMine ? seen | BUSY : noted(seen))) {
                if (isMine) {
                    choose();
                }
                return;
            }
        }
    }

    /** A woken waiter takes what it waits for, unless another thread was faster or a chooser is active. */
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

    /** The wake-up has been used: the next waiter must be chosen anew. */
    void republishWaiters() {
        if (requestChoice()) {
            choose();
        }
    }

    /**
     * A waiter has stopped waiting or has become more important: the available amount may be enough for another one.
     */
    final void recheckOwner() {
        if ((wordVolatile() & WAITERS) != 0 && requestChoice()) {
            choose();
        }
    }

    /**
     * Publishes that a thread waits.
     *
     * @return whether the caller must choose
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

    /** The word with NEWS set for the active chooser. */
    long noted(long word) {
        return word | NEWS;
    }

    // ---- releasing

    /**
     * Releases, and makes sure that a waiter is chosen if any waits.
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
     * Chooses until no thread waits, or one has been woken to try, or the available amount is not enough for the next.
     * The caller has set BUSY.
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
                        PriorityDonation.along(important); // the holders may have changed since it began to wait
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

    /** Grants to a waiter; returns whether it has received a donation. */
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
            PriorityDonation.along(important); // before it runs: without a boost it may not run soon
        }
        next.grant();
        return important != null;
    }

    /** Makes one waiter try; false if it no longer waits, and another one must be chosen. */
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

    /** The waiting threads, approximately. */
    final List<Thread> queuedThreads() {
        return queue.threads();
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

    // ---- steps that threads see of each other; a test that enumerates their orders overrides these

    long wordVolatile() {
        return (long) WORD.getVolatile(this);
    }

    boolean casWord(long expected, long replacement) {
        return WORD.compareAndSet(this, expected, replacement);
    }

    long clearNews() {
        return (long) WORD.getAndBitwiseAnd(this, ~NEWS) & ~NEWS;
    }

    /** Lets a donating or revoking thread make progress after {@code times} futile attempts. */
    void pause(int times) {
        if (times < SPINS) {
            Thread.onSpinWait();
        } else {
            LockSupport.parkNanos(this, PAUSE_NANOS); // not yield: a real-time thread yields to no lower one
        }
    }
}

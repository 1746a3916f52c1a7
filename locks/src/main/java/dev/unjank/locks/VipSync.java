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
 * What the locks of this package have in common: a word, a queue of those that wait for it to change, and how it is chosen who goes
 * next. It extends the class by which thread dumps, Flight Recorder and {@link java.lang.management.ThreadMXBean} know who owns a
 * lock, and waiting threads park on it.
 *
 * <pre>
 * bit       meaning                                              set by                               cleared by
 * WAITERS   somebody waits, and nobody who is awake sees to it:  who arrives; who was woken and       the chooser, when nobody waits
 *           newcomers queue up, and a release has to choose      has tried, whatever came of it       or when it wakes one to try
 * BUSY      somebody chooses: one thread has the right to the    who releases, arrives, has tried or  the chooser
 *           queue's lists                                        has given up, and finds it clear;
 *                                                                a lender that gives up always chooses
 * NEWS      and must look again                                  the same, who find BUSY set          the chooser, before it looks
 * </pre>
 *
 * The bits above are what the kind of lock counts: an owner, shares, permits. Every change is a volatile compare-and-set.
 *
 * <p><b>Nobody sleeps beside a free lock.</b> A waiter pushes itself on the queue, and then sets WAITERS; if there is something to be
 * had it chooses, or has the one that chooses look again. So does everybody who releases something, and everybody who
 * stops waiting. While WAITERS is clear, one of those that wait has been woken: it tries, and sets WAITERS again whether it got
 * what it wanted or not; should it have given up at that moment, the one that woke it does so. So if somebody sleeps in the
 * queue, then either a release will choose, or somebody is at it, or what there is is not enough for who is next.
 *
 * <p><b>Given and left.</b> An important waiter is given what it waits for: nobody can come between. An ordinary one is woken and
 * has to take it, so a thread that runs may come first; giving to everybody would let the lock lie idle for a switch of threads at
 * each release. One who has waited longer than the bound is given it as well.
 */
@SuppressWarnings("serial") // is not to be serialized: see writeObject
abstract class VipSync extends AbstractOwnableSynchronizer {
    private static final long serialVersionUID = 1;

    static final long FREE = 0;
    static final long BUSY = 1;
    static final long NEWS = 1 << 1;
    static final long WAITERS = 1 << 2;

    /** The bits above belong to the kind of lock. */
    static final int STATE_SHIFT = 6;

    /** For ever. */
    static final long FOREVER = Long.MAX_VALUE;

    /** No word: what is wanted cannot be had. */
    static final long NONE = -1;

    /** A guard is held for a system call or two; who spins longer may be keeping its holder from the processor. */
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

    // ---- what a kind of lock says

    /** Whether there is something to be had at all: if not, it is of no use to choose. */
    abstract boolean isOpen(long word);

    /** The word when a waiter has what it wants; {@link #NONE} if it cannot have that. */
    abstract long taken(long word, Waiter waiter);

    /** A waiter has what it wanted. Called by itself or by who gave it, before it goes on. */
    void given(Waiter waiter) {}

    /** Those that have what others wait for, as far as that is known: who waits lends to them. */
    abstract List<LockThread> holders();

    /** Marks that one of the holders has been lent something; false if it holds nothing. Called under the guard of its standing. */
    abstract boolean markLent(LockThread holder);

    // ---- waiting, when a kind of lock has tried itself: a call from here would have many targets

    /** Waits for ever, whatever happens. */
    final void acquire(int amount) {
        Waiter me = waiter(amount, true, Waiter.WAITING);
        enqueue(me);
        awaitTurn(me);
    }

    /**
     * Waits, unless there is no time for it.
     *
     * @param nanos how long, or {@link #FOREVER}
     * @return whether the thread has what it wanted
     */
    final boolean acquire(int amount, long nanos) throws InterruptedException {
        if (nanos <= 0) {
            return false;
        }
        Waiter me = waiter(amount, nanos == FOREVER, Waiter.WAITING);
        enqueue(me);
        return awaitTurn(me, true, nanos);
    }

    /** What an interrupt ends begins with this. */
    static void checkInterrupt() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    final Waiter waiter(int amount, boolean isForever, int state) {
        return queue.waiter(this, LockThread.current(), amount, isForever, state);
    }

    /** Has somebody take its place in the queue. */
    final void enqueue(Waiter waiter) {
        queue.push(waiter);
        if (call()) {
            choose();
        }
    }

    /** Waits for ever as one whose place in the queue is taken. */
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
        long lentFor = NONE;
        me.standing.waiting = me;
        try {
            while (true) {
                int state = me.stateVolatile();
                if (state == Waiter.GRANTED || (state == Waiter.WOKEN && tryOut(me))) {
                    if (me.hasLent) {
                        PriorityDonation.takeBack(me); // from readers that go on reading
                    }
                    return true;
                } else if (state == Waiter.WAITING) {
                    long left = nanos == FOREVER ? FOREVER : nanos - (me.nanoTime() - start);
                    long heldAs = wordVolatile() >> STATE_SHIFT;
                    if (left <= 0 || (interruptibly && interrupted)) {
                        if (me.cancel()) {
                            queue.forget();
                            reconsider();
                            if (me.hasLent) {
                                endLoans(me);
                            }
                            if (left <= 0) {
                                return false;
                            }
                            interrupted = false;
                            throw new InterruptedException();
                        }
                    } else if (heldAs != lentFor) {
                        lentFor = heldAs;
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
            me.standing.waiting = null;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Of a waiter that has given up: the most important of those that are left lends first, so the owner is not without in between. */
    void endLoans(Waiter me) {
        lendAnew();
        PriorityDonation.takeBack(me);
    }

    /** Has the chooser lend for the most important waiter, also while there is nothing to choose. */
    private void lendAnew() {
        while (true) {
            long seen = wordVolatile();
            boolean isMine = (seen & BUSY) == 0;
            if ((seen & WAITERS) == 0) {
                return; // no important waiter sleeps: one that was woken or arrives lends itself
            }
            if (casWord(seen, isMine ? seen | BUSY : noted(seen))) {
                if (isMine) {
                    choose();
                }
                return;
            }
        }
    }

    /** One that was woken takes what it wants, unless others have been faster or somebody is choosing. */
    private boolean tryOut(Waiter me) {
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
            given(me);
        }
        me.setStateVolatile(has ? Waiter.DONE : Waiter.WAITING);
        answer();
        return has;
    }

    /** The wake-up has been used: whoever is next has to be chosen anew. */
    void answer() {
        if (call()) {
            choose();
        }
    }

    /** One who waited does so no more, or counts for more: what was too much for who was next may not be for another. */
    final void reconsider() {
        if ((wordVolatile() & WAITERS) != 0 && call()) {
            choose();
        }
    }

    /**
     * Says that somebody waits.
     *
     * @return whether the caller has to choose
     */
    private boolean call() {
        while (true) {
            long seen = wordVolatile();
            boolean isMine = (seen & BUSY) == 0 && isOpen(seen);
            long next = (seen & BUSY) == 0 ? (isMine ? seen | BUSY | WAITERS : seen | WAITERS) : noted(seen | WAITERS);
            if (next == seen || casWord(seen, next)) {
                return isMine;
            }
        }
    }

    /** The word with a note for the one that chooses. */
    long noted(long word) {
        return word | NEWS;
    }

    // ---- releasing

    /**
     * Releases something, and sees to it that somebody is chosen if anybody waits.
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

    /** Chooses until nobody waits, or somebody has been woken to try, or there is not enough for who is next. The caller has set BUSY. */
    private void choose() {
        long lentFor = NONE;
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
                    if (important != null && seen >> STATE_SHIFT != lentFor) {
                        PriorityDonation.along(important); // others may hold it than when it began to wait
                    }
                    return;
                }
            } else if (queue.isGivenTo(next, now)) {
                if (give(next, seen, taken)) {
                    lentFor = taken >> STATE_SHIFT;
                }
            } else if (casWord(seen, seen & ~(BUSY | WAITERS)) && (wake(next) || !call())) {
                return;
            }
        }
    }

    /** Says whether it has been lent to. */
    private boolean give(Waiter next, long seen, long taken) {
        if (!next.claim()) {
            return false;
        }
        if (!casWord(seen, taken)) {
            next.unclaim();
            return false;
        }
        queue.remove(next);
        given(next);
        Waiter important = isOpen(taken) ? null : queue.mostImportant();
        if (important != null) {
            PriorityDonation.along(important); // before it runs: it may not run soon as it is
        }
        next.grant();
        return important != null;
    }

    /** Has one try; false if it waits no more, and somebody else has to. */
    boolean wake(Waiter next) {
        return next.wake();
    }

    // ---- for those who ask

    @SuppressWarnings("ReferenceEquality") // a lock is no other's equal
    final boolean is(VipSync other) {
        return this == other;
    }

    final WaitQueue queue() {
        return queue;
    }

    /** Who waits, about now. */
    final List<Thread> queuedThreads() {
        return queue.threads();
    }

    private void writeObject(ObjectOutputStream out) throws NotSerializableException {
        throw new NotSerializableException(getClass().getName());
    }

    static String name(@Nullable Thread thread) {
        if (thread == null) {
            return "nobody";
        }
        return "thread " + (thread.getName().isEmpty() ? "#" + thread.threadId() : thread.getName());
    }

    // ---- what threads see of each other; a test that enumerates the orders of these steps comes between

    long wordVolatile() {
        return (long) WORD.getVolatile(this);
    }

    boolean casWord(long expected, long replacement) {
        return WORD.compareAndSet(this, expected, replacement);
    }

    long clearNews() {
        return (long) WORD.getAndBitwiseAnd(this, ~NEWS) & ~NEWS;
    }

    /** Lets a thread that lends to this one get on, or one that takes back; {@code times} have not been enough. */
    void pause(int times) {
        if (times < SPINS) {
            Thread.onSpinWait();
        } else {
            LockSupport.parkNanos(this, PAUSE_NANOS); // and not yield: a real-time thread yields to no other
        }
    }
}

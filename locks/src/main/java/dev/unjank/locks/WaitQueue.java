package dev.unjank.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The queue of a lock's waiters. An arriving thread pushes itself on a stack with one compare-and-set. The chooser, one
 * thread at a time, sorts the arrivals into three lists: real time, VIP, ordinary. So neither the arrivals nor the
 * lists need a lock.
 *
 * <p><b>Order.</b> Real time before VIP before ordinary, first come first served within each. An ordinary waiter that
 * has waited longer than the bound goes first; if important threads wait, overdue and important waiters alternate.
 *
 * <p><b>Cancelled waiters</b> stay in place until a chooser removes them. If the lock is held for long, cancelled
 * waiters pile up on the stack. So a thread whose wait is cancelled unlinks them once there are many. This is safe even
 * if another thread takes the stack meanwhile: as no waiter is pushed twice, every link that is written still leads to
 * all live waiters further down.
 */
class WaitQueue {
    /** The number of cancelled waiters that are tolerated before they are unlinked. */
    private static final int FEW = 32;

    private static final VarHandle ARRIVALS;

    static {
        try {
            ARRIVALS = MethodHandles.lookup().findVarHandle(WaitQueue.class, "arrivals", Waiter.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long bound;
    private final LongSupplier clock;

    @SuppressWarnings("UnusedVariable") // through ARRIVALS
    private @Nullable Waiter arrivals;

    /** The number of cancelled waiters since the last walk. */
    private final AtomicInteger cancelled = new AtomicInteger();

    /** Whether a waiter that may already be sorted has changed its importance. */
    private volatile boolean isRanked;

    // accessed only by the chooser
    private final WaitList realTime = new WaitList();
    private final WaitList vip = new WaitList();
    private final WaitList ordinary = new WaitList();

    /** Whether the last choice was an overdue waiter ahead of an important one. */
    private boolean isImportantsTurn;

    /**
     * @param bound the wait time in ns after which an ordinary waiter goes first
     * @param clock the clock for that, in ns
     */
    WaitQueue(long bound, LongSupplier clock) {
        this.bound = bound;
        this.clock = clock;
    }

    /** Creates a queue with the given bound. */
    static WaitQueue of(Duration bound) {
        if (bound.isNegative()) {
            throw new IllegalArgumentException("bound = " + bound + ": expected 0 or more");
        }
        boolean isEndless = bound.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0;
        return new WaitQueue(isEndless ? Long.MAX_VALUE : bound.toNanos(), System::nanoTime);
    }

    // ---- any thread

    /** Returns the current time of the clock for the bound. */
    final long now() {
        return clock.getAsLong();
    }

    /** Creates a waiter for the calling thread, without adding it to the queue. */
    Waiter waiter(VipSync sync, LockThread me, int amount, boolean isForever, int state) {
        return new Waiter(sync, me, amount, now(), isForever, state);
    }

    /** Pushes an arriving waiter. */
    void push(Waiter waiter) {
        Waiter seen;
        do {
            seen = arrivalsVolatile();
            waiter.setBelowOpaque(seen);
        } while (!casArrivals(seen, waiter));
    }

    /**
     * Changes the importance of a waiter of this queue, and possibly its place; returns false if the importance is
     * unchanged.
     */
    boolean rank(Waiter waiter, Importance importance) {
        if (waiter.importance == importance) {
            return false;
        }
        waiter.importance = importance;
        isRanked = true;
        return true;
    }

    /** Counts a cancelled waiter, and unlinks all cancelled waiters from the stack if there are many. */
    void countCancelled() {
        if (cancelled.incrementAndGet() < FEW) {
            return;
        }
        cancelled.set(0);
        Waiter waiter = arrivalsVolatile();
        while (waiter != null) {
            Waiter below = waiter.belowOpaque();
            while (below != null && !below.isActive()) {
                below = below.belowOpaque();
            }
            waiter.setBelowOpaque(below);
            waiter = below;
        }
    }

    // ---- for the chooser

    /** Sorts the arrivals into the lists. */
    void sort() {
        Waiter waiter = arrivalsVolatile() == null ? null : takeArrivals();
        while (waiter != null) {
            Waiter below = waiter.belowOpaque();
            waiter.setBelowOpaque(null); // otherwise a long-waiting waiter keeps all earlier arrivals alive
            if (waiter.isActive()) {
                list(waiter.importance).add(waiter);
            }
            waiter = below;
        }
        if (isRanked) {
            isRanked = false;
            sortAgain(ordinary, Importance.ORDINARY);
            sortAgain(vip, Importance.VIP);
            sortAgain(realTime, Importance.REAL_TIME);
        }
    }

    private void sortAgain(WaitList list, Importance rank) {
        for (Waiter waiter = list.first(); waiter != null; ) {
            Waiter behind = waiter.behind;
            Importance now = waiter.importance;
            if (now != rank) {
                list.remove(waiter);
                list(now).add(waiter);
            }
            waiter = behind;
        }
    }

    private WaitList list(Importance importance) {
        return switch (importance) {
            case REAL_TIME -> realTime;
            case VIP -> vip;
            case ORDINARY -> ordinary;
        };
    }

    /** Returns the next waiter, or null if there is none. Considers only sorted arrivals. */
    @Nullable
    Waiter next(long now) {
        Waiter important = mostImportant();
        Waiter patient = firstActive(ordinary);
        boolean isPatientsTurn = important == null || (isOverdue(patient, now) && !isImportantsTurn);
        return patient != null && isPatientsTurn ? patient : important;
    }

    /**
     * Returns whether the releasing thread hands the lock over to this waiter; otherwise it only wakes the waiter,
     * which must compete for the lock. True for important waiters, and for waiters that have waited longer than the
     * bound.
     */
    boolean isGivenTo(Waiter waiter, long now) {
        return waiter.list != ordinary || isOverdue(waiter, now);
    }

    private boolean isOverdue(@Nullable Waiter waiter, long now) {
        return waiter != null && now - waiter.since > bound;
    }

    /** Removes the chosen waiter. */
    void remove(Waiter waiter) {
        WaitList list = waiter.list;
        if (list != null) {
            list.remove(waiter);
            isImportantsTurn = list == ordinary;
        }
    }

    /** Returns the first important waiter, or null if there is none. */
    @Nullable
    Waiter mostImportant() {
        Waiter first = firstActive(realTime);
        return first == null ? firstActive(vip) : first;
    }

    private static @Nullable Waiter firstActive(WaitList list) {
        Waiter first = list.first();
        while (first != null && !first.isActive()) {
            list.remove(first);
            first = list.first();
        }
        return first;
    }

    // ---- access

    private @Nullable Waiter arrivalsVolatile() {
        return (Waiter) ARRIVALS.getVolatile(this);
    }

    private boolean casArrivals(@Nullable Waiter expected, Waiter replacement) {
        return ARRIVALS.compareAndSet(this, expected, replacement);
    }

    private @Nullable Waiter takeArrivals() {
        return (Waiter) ARRIVALS.getAndSet(this, (Waiter) null);
    }
}

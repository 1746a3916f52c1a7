package dev.unjank.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for a lock. Whoever arrives pushes itself on a stack, by one compare-and-set; whoever has the right to choose, which
 * is one thread at a time, sorts what has arrived into three lists: real time, VIP, ordinary. So arriving needs no lock, and the
 * lists need none either.
 *
 * <p><b>Whose turn it is.</b> Real time before VIP before ordinary, first come first served within each. An ordinary waiter that has
 * waited longer than the bound goes before them, and then an important one again, if there is one: they take turns.
 *
 * <p><b>Who has given up</b> stays where it is until a chooser passes by. On the stack of a lock that is not released for long they
 * would grow in number, so the one that gives up unlinks them when they are many. Nothing is ever put back on the stack, so
 * whatever an unlinking thread writes leads to all that wait below, whoever takes the stack meanwhile.
 */
class WaitQueue {
    /** Fewer that have given up are not worth a walk. */
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

    /** How many have given up since the last walk. */
    private final AtomicInteger cancelled = new AtomicInteger();

    /** Whether the importance of a waiter has changed that may be sorted already. */
    private volatile boolean isRanked;

    // the chooser's
    private final WaitList realTime = new WaitList();
    private final WaitList vip = new WaitList();
    private final WaitList ordinary = new WaitList();

    /** Whether one that had waited too long was the last to go before an important one. */
    private boolean isImportantsTurn;

    /**
     * An empty queue.
     *
     * @param bound after how many ns an ordinary waiter goes first
     * @param clock of ns, by which that is measured
     */
    WaitQueue(long bound, LongSupplier clock) {
        this.bound = bound;
        this.clock = clock;
    }

    /** An empty queue with a bound as a program gives it. */
    static WaitQueue of(Duration bound) {
        if (bound.isNegative()) {
            throw new IllegalArgumentException("the bound is " + bound + "; it has to be 0 or more");
        }
        boolean isEndless = bound.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0;
        return new WaitQueue(isEndless ? Long.MAX_VALUE : bound.toNanos(), System::nanoTime);
    }

    // ---- any thread

    /** The time by which waits are compared with the bound. */
    final long now() {
        return clock.getAsLong();
    }

    /** A waiter for the calling thread, whose standing is given. It is not in the queue yet. */
    Waiter waiter(VipSync sync, LockThread me, int amount, boolean isForever, int state) {
        return new Waiter(sync, me, amount, now(), isForever, state);
    }

    /** Arrives. */
    void push(Waiter waiter) {
        Waiter seen;
        do {
            seen = arrivalsVolatile();
            waiter.setBelowOpaque(seen);
        } while (!casArrivals(seen, waiter));
    }

    /** Gives a waiter of this queue another importance, by which its place may change; false if it has that. */
    boolean rank(Waiter waiter, Importance importance) {
        if (waiter.importance == importance) {
            return false;
        }
        waiter.importance = importance;
        isRanked = true;
        return true;
    }

    /** One has given up. Unlinks those that have from the stack, if they are many. */
    void forget() {
        if (cancelled.incrementAndGet() < FEW) {
            return;
        }
        cancelled.set(0);
        Waiter waiter = arrivalsVolatile();
        while (waiter != null) {
            Waiter below = waiter.belowOpaque();
            while (below != null && !below.isLiving()) {
                below = below.belowOpaque();
            }
            waiter.setBelowOpaque(below);
            waiter = below;
        }
    }

    /** All that wait. Any thread; of those that come, go or are sorted meanwhile some may be missed, or there twice. */
    List<Thread> threads() {
        List<Thread> threads = new ArrayList<>();
        for (Waiter waiter = arrivalsVolatile(); waiter != null; waiter = waiter.belowOpaque()) {
            addTo(threads, waiter);
        }
        for (WaitList list : new WaitList[] {realTime, vip, ordinary}) {
            for (Waiter waiter = list.first(); waiter != null; waiter = waiter.behind) {
                addTo(threads, waiter);
            }
        }
        return threads;
    }

    private static void addTo(List<Thread> threads, Waiter waiter) {
        Thread thread = waiter.isLiving() ? waiter.standing.get() : null;
        if (thread != null) {
            threads.add(thread);
        }
    }

    // ---- who chooses

    /** Sorts in whoever has arrived. */
    void sort() {
        Waiter waiter = arrivalsVolatile() == null ? null : takeArrivals();
        while (waiter != null) {
            Waiter below = waiter.belowOpaque();
            waiter.setBelowOpaque(null); // else one that waits long keeps all that came before it
            if (waiter.isLiving()) {
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

    /** Whose turn it is, null if nobody waits. Of those that have arrived only who is sorted in counts. */
    @Nullable
    Waiter next(long now) {
        Waiter important = mostImportant();
        Waiter patient = living(ordinary);
        boolean isPatientsTurn = important == null || (isTooLong(patient, now) && !isImportantsTurn);
        return patient != null && isPatientsTurn ? patient : important;
    }

    /** Whether something is given to a waiter rather than left for it to take: to the important, and to who has waited too long. */
    boolean isGivenTo(Waiter waiter, long now) {
        return waiter.list != ordinary || isTooLong(waiter, now);
    }

    private boolean isTooLong(@Nullable Waiter waiter, long now) {
        return waiter != null && now - waiter.since > bound;
    }

    /** Takes out the one whose turn it was. */
    void remove(Waiter waiter) {
        WaitList list = waiter.list;
        if (list != null) {
            list.remove(waiter);
            isImportantsTurn = list == ordinary;
        }
    }

    /** The first of the important ones; null if there is none. */
    @Nullable
    Waiter mostImportant() {
        Waiter first = living(realTime);
        return first == null ? living(vip) : first;
    }

    private static @Nullable Waiter living(WaitList list) {
        Waiter first = list.first();
        while (first != null && !first.isLiving()) {
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

package dev.unjank.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for a lock. Whoever arrives pushes itself on a stack, by one compare-and-set, and the owner of the lock, when it
 * releases it, sorts what has arrived into three lists: real time, VIP, ordinary. So arriving is free of locks, and the lists need
 * none since they are the owner's.
 *
 * <p><b>Whose turn it is.</b> Real time before VIP before ordinary, first come first served within each; but the ordinary waiter that
 * has waited longest goes first once that is longer than the bound.
 *
 * <p><b>Who has given up</b> stays where it is until an owner passes by. On the stack of a lock that is not released for long,
 * they would grow in number; so the one that gives up looks whether there are many ({@link #sweep}).
 */
final class WaitQueue {
    /** Fewer that have given up are not worth a walk. */
    private static final int FEW = 32;

    private static final VarHandle ARRIVALS;
    private static final VarHandle CANCELLED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            ARRIVALS = lookup.findVarHandle(WaitQueue.class, "arrivals", Waiter.class);
            CANCELLED = lookup.findVarHandle(WaitQueue.class, "cancelled", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long bound;

    @SuppressWarnings("UnusedVariable") // through ARRIVALS
    private @Nullable Waiter arrivals;

    /** How many have given up since the last sweep: an estimate. */
    @SuppressWarnings("UnusedVariable") // through CANCELLED
    private int cancelled;

    /** Whether the importance of a waiter has been raised that may be sorted already. */
    private volatile boolean isRaised;

    private final WaitList realTime = new WaitList();
    private final WaitList vip = new WaitList();
    private final WaitList ordinary = new WaitList();

    /**
     * An empty queue.
     *
     * @param bound after how many ns an ordinary waiter goes first
     */
    WaitQueue(long bound) {
        this.bound = bound;
    }

    // ---- any thread

    /** Arrives. */
    void push(Waiter waiter) {
        push(waiter, waiter);
    }

    private void push(Waiter top, Waiter bottom) {
        Waiter seen;
        do {
            seen = arrivalsVolatile();
            bottom.below = seen;
        } while (!casArrivals(seen, top));
    }

    /** Whether somebody has arrived whom no owner has sorted in. */
    boolean hasArrivals() {
        return arrivalsVolatile() != null;
    }

    /** Somebody waits for a waiter of this queue: it counts for more from now on, and may have to change its place. */
    void raise(Waiter waiter, Importance importance) {
        if (importance.compareTo(waiter.importance) > 0) {
            waiter.importance =
                    importance; // two who raise at the same time may leave the lower: a place in the queue, no more
            isRaised = true;
        }
    }

    /**
     * Takes those that have given up off the stack, if they are many.
     *
     * @return whether the others had to be taken off and put back: the caller must see to it, like one who arrives, that somebody
     *     looks at them
     */
    boolean sweep() {
        if ((int) CANCELLED.getAndAdd(this, 1) < FEW) {
            return false;
        }
        CANCELLED.setVolatile(this, 0);
        Waiter top = null;
        Waiter bottom = null;
        for (Waiter waiter = takeArrivals(); waiter != null; waiter = waiter.below) {
            if (waiter.stateVolatile() == Waiter.CANCELLED) {
                continue;
            }
            if (bottom == null) {
                top = waiter;
            } else {
                bottom.below = waiter;
            }
            bottom = waiter;
        }
        if (top == null || bottom == null) {
            return false;
        }
        push(top, bottom);
        return true;
    }

    // ---- the owner of the lock

    /** Sorts in whoever has arrived. */
    void sort() {
        for (Waiter waiter = takeArrivals(); waiter != null; ) {
            Waiter below = waiter.below;
            waiter.below = null; // else one that waits long keeps all that came before it
            if (waiter.stateVolatile() < Waiter.CANCELLED) {
                add(waiter);
            }
            waiter = below;
        }
        if (isRaised) {
            isRaised = false;
            sortAgain(ordinary, Importance.ORDINARY);
            sortAgain(vip, Importance.VIP);
        }
    }

    private void sortAgain(WaitList list, Importance rank) {
        for (Waiter waiter = list.first(); waiter != null; ) {
            Waiter behind = waiter.behind;
            if (waiter.importance != rank) {
                list.remove(waiter);
                add(waiter);
            }
            waiter = behind;
        }
    }

    /** Sorts in a waiter of the owner's choice. */
    void add(Waiter waiter) {
        list(waiter.importance).add(waiter);
    }

    private WaitList list(Importance importance) {
        return switch (importance) {
            case REAL_TIME -> realTime;
            case VIP -> vip;
            case ORDINARY -> ordinary;
        };
    }

    /** Takes out a waiter, if it has been sorted in. */
    void remove(Waiter waiter) {
        if (waiter.list != null) {
            waiter.list.remove(waiter);
        }
    }

    /** Whose turn it is, null if nobody waits. Of those that have arrived only who is sorted in counts. */
    @Nullable
    Waiter next(long now) {
        Waiter patient = living(ordinary);
        if (patient != null && now - patient.since > bound) {
            return patient;
        }
        Waiter important = living(realTime);
        if (important == null) {
            important = living(vip);
        }
        return important == null ? patient : important;
    }

    /** Whether the lock is given to a waiter rather than left for it to take: to the important, and to who has waited too long. */
    boolean isGivenTo(Waiter waiter, long now) {
        return waiter.list != ordinary || now - waiter.since > bound;
    }

    private static @Nullable Waiter living(WaitList list) {
        for (Waiter first = list.first(); first != null; first = list.first()) {
            int state = first.stateVolatile();
            if (state != Waiter.CANCELLED && state != Waiter.DONE) {
                return first;
            }
            list.remove(first);
        }
        return null;
    }

    /** The highest importance of those that are sorted in. */
    Importance highest() {
        return living(realTime) != null
                ? Importance.REAL_TIME
                : living(vip) != null ? Importance.VIP : Importance.ORDINARY;
    }

    // ---- access

    /** Shows all that wait, and some that have just ceased to. Any thread; of those sorted in meanwhile some may be missed. */
    void forEach(Consumer<Waiter> action) {
        for (Waiter waiter = arrivalsVolatile(); waiter != null; waiter = waiter.below) {
            action.accept(waiter);
        }
        for (WaitList list : new WaitList[] {realTime, vip, ordinary}) {
            for (Waiter waiter = list.first(); waiter != null; waiter = waiter.behind) {
                action.accept(waiter);
            }
        }
    }

    /** The bound, as text. */
    String boundText() {
        return TimeUnit.NANOSECONDS.toMillis(bound) + " ms";
    }

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

package dev.unjank.locks;

import dev.unjank.linux.LinuxThreads;
import dev.unjank.linux.Scheduling;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The state of a thread for the locks: its current waiter, its shares, and the donations it has received. Other threads
 * find it by the thread's id, which is in a lock's word.
 *
 * <p><b>Donation.</b> An important thread that waits for a lock donates its scheduling to the owner, until the owner
 * releases the lock. The donor takes the owner's guard, sets LENT in the lock's word if that still names the owner,
 * makes the system call, and leaves the guard. An owner that finds LENT in the word it has released takes its own
 * guard, so it waits for a donation in progress, and returns it. Hence no thread keeps a donation, and none is made to
 * a thread that no longer owns the lock, or that has ended: it would have had to release the lock first.
 *
 * <p><b>Several donations.</b> There is one donation per waiter. A thread is scheduled by the best of its donations,
 * and by its own scheduling when the last one has ended. Its own scheduling is read when the first donation arrives; a
 * change from outside during a donation lasts as long as the donation.
 *
 * <p><b>A waiter that gives up</b> revokes its donation at once. It first leaves the state in which waiters donate, and
 * then takes the guard of each holder and removes its donation. A donor checks that state under the same guard, so a
 * donation is either removed or never made. The value of a donation is computed under the holder's guard from what the
 * waiter itself has received at that moment, and each change of that value is followed by such a computation along the
 * chain. Hence no donation outlives its reason, in any order of events.
 */
final class LockThread extends WeakReference<Thread> {
    private static final Map<Long, LockThread> ALL = new ConcurrentHashMap<>();
    private static final ReferenceQueue<Thread> ENDED = new ReferenceQueue<>();
    private static final ThreadLocal<@Nullable LockThread> CURRENT = new ThreadLocal<>();
    private static final int NO_TID = -1;

    /** How long the kernel's answer about a thread's class is cached. */
    private static final long KNOWN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final VarHandle GUARD;

    static {
        try {
            GUARD = MethodHandles.lookup().findVarHandle(LockThread.class, "guard", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final long id;

    /** The kernel's thread id; {@link #NO_TID} for a virtual thread, and where the kernel cannot be asked. */
    private final int tid;

    /**
     * The current waiter of the thread. Written by the thread before it reads {@link #bestDonation}, so that one of it and a
     * donor sees the other.
     */
    volatile @Nullable Waiter waiting;

    /** Its shares. Changed by the thread only. */
    private volatile @Nullable SharedHold holds;

    /** The best of the donations. Written under the guard. */
    private volatile Donation bestDonation = Donation.NOTHING;

    // the kernel's answer about its class, and its time; belong to the thread
    private boolean classKnown;
    private boolean isRealTime;
    private long classReadAt;

    @SuppressWarnings("UnusedVariable") // through GUARD
    private boolean guard;

    // under the guard
    private @Nullable Scheduling own;
    private @Nullable Scheduling inForce;
    private @Nullable Map<Waiter, Donation> donations;

    /**
     * The donation of a waiter to a holder of the lock.
     *
     * @param importance the rank in the queues in which the holder waits itself
     * @param scheduling how the kernel schedules the holder, null for no change
     */
    record Donation(Importance importance, @Nullable Scheduling scheduling) {
        static final Donation NOTHING = new Donation(Importance.ORDINARY, null);

        /** The better of each component. */
        Donation or(Donation other) {
            Scheduling theirs = other.scheduling;
            boolean isBetter = theirs != null && (scheduling == null || theirs.isBetterThan(scheduling));
            return new Donation(importance.or(other.importance), isBetter ? theirs : scheduling);
        }
    }

    private LockThread(Thread thread) {
        super(thread, ENDED);
        id = thread.threadId();
        tid = thread.isVirtual() || LinuxThreads.obstacle() != null ? NO_TID : LinuxThreads.current();
    }

    /** That of the calling thread. */
    static LockThread current() {
        LockThread known = CURRENT.get();
        return known == null ? register() : known;
    }

    private static LockThread register() {
        for (Object ended; (ended = ENDED.poll()) != null; ) {
            ALL.remove(((LockThread) ended).id);
        }
        LockThread thread = new LockThread(Thread.currentThread());
        ALL.put(thread.id, thread);
        CURRENT.set(thread);
        return thread;
    }

    /** That of a thread, null if it has ended. */
    static @Nullable LockThread of(long threadId) {
        return ALL.get(threadId);
    }

    /** The importance of the thread without donations. Called by the thread only. */
    Importance ownImportance(VipSync lock) {
        Importance declared = Importance.declared();
        return declared != Importance.REAL_TIME && isOfRealTime(lock) ? Importance.REAL_TIME : declared;
    }

    /** Asks the kernel. That takes as long as many waits, so the answer is cached. */
    private boolean isOfRealTime(VipSync lock) {
        if (tid == NO_TID || PriorityTier.currentFinding() != PriorityTier.REAL_TIME) {
            return false;
        }
        long now = System.nanoTime();
        if (!classKnown || now - classReadAt > KNOWN_NANOS) {
            Scheduling scheduling = ownScheduling(lock);
            isRealTime = scheduling != null && scheduling.isRealTime();
            classReadAt = now;
            classKnown = true;
        }
        return isRealTime;
    }

    /** The thread's scheduling without donations, null if it is unknown. */
    private @Nullable Scheduling ownScheduling(VipSync lock) {
        enter(lock);
        try {
            return own == null && tid != NO_TID ? LinuxThreads.scheduling(tid) : own;
        } finally {
            leave();
        }
    }

    // ---- shares

    /** Its hold of a lock; created if there is none. Called by the thread only. */
    SharedHold hold(VipSync lock) {
        SharedHold known = holdOf(lock);
        if (known != null) {
            return known;
        }
        SharedHold hold = new SharedHold(lock, holds);
        holds = hold;
        return hold;
    }

    /** Its hold of a lock, null if there is none. */
    @Nullable
    SharedHold holdOf(VipSync lock) {
        return SharedHold.in(holds, lock);
    }

    /** Removes a hold, unless the thread has a share after all. Called by the thread only. */
    void drop(SharedHold hold) {
        if (hold.count > 0) {
            return;
        }
        SharedHold before = holds;
        if (before == hold) {
            holds = hold.next;
            return;
        }
        while (before != null && before.next != hold) {
            before = before.next;
        }
        if (before != null) {
            before.next = hold.next;
        }
    }

    /** All threads with a share of a lock: contains those that got it before the call and keep it. */
    static List<LockThread> holdersOf(VipSync lock) {
        return ALL.values().stream()
                .filter(thread -> {
                    SharedHold hold = thread.holdOf(lock);
                    return hold != null && hold.isHeld();
                })
                .toList();
    }

    // ---- donations

    /** The importance that it has received. */
    Importance donatedImportance() {
        return bestDonation.importance;
    }

    /** The best of all donations it has received, which it passes on while it waits. */
    Donation donation() {
        return bestDonation;
    }

    /** The scheduling that this thread donates for its importance; null if there is none to donate here. */
    @Nullable
    Scheduling schedulingToDonate(Importance importance, VipSync lock) {
        return switch (PriorityTier.currentFinding()) {
            case ORDERING -> null;
            case LENDING -> Scheduling.bestNice();
            case REAL_TIME -> {
                Scheduling mine = importance == Importance.REAL_TIME ? ownScheduling(lock) : null;
                yield mine != null && mine.isRealTime()
                        ? Scheduling.realTime(Math.max(1, mine.priority()))
                        : Scheduling.bestNice();
            }
        };
    }

    /** Updates the place of this thread's waiter in the queue to its donations; returns whether that has changed. */
    boolean rank(Waiter waiter) {
        enter(waiter.sync);
        try {
            return waiter.sync.queue().rank(waiter, waiter.own.or(bestDonation.importance));
        } finally {
            leave();
        }
    }

    /**
     * Donates what a waiter currently has to donate to this thread.
     *
     * @return false if this thread no longer holds the lock, or the waiter has stopped waiting
     */
    boolean donate(Waiter waiter) {
        enter(waiter.sync);
        try {
            waiter.hasDonated = true; // before its state is read: a waiter that stops sees one of the two
            if (!waiter.sync.markLent(this) || !waiter.mayDonate()) {
                return false;
            }
            if (donations == null) {
                donations = new LinkedHashMap<>();
            }
            Donation donation = waiter.donation();
            Donation before = donations.put(waiter, donation);
            applyScheduling(
                    before == null || donation.or(before).equals(donation)
                            ? bestDonation.or(donation)
                            : best(donations));
            return true;
        } finally {
            leave();
        }
    }

    /**
     * Ends or lowers the donation of a waiter to what the waiter still justifies.
     *
     * @return whether this thread has less than before
     */
    boolean revoke(Waiter waiter) {
        enter(waiter.sync);
        try {
            // with a donation it has not released the lock yet, or waits in giveBack for this guard
            if (donations == null || !donations.containsKey(waiter)) {
                return false;
            }
            Donation left = waiter.mayDonate() ? waiter.donation() : Donation.NOTHING;
            if (left.importance.isImportant()) {
                donations.put(waiter, left);
            } else {
                donations.remove(waiter);
            }
            Donation before = bestDonation;
            applyScheduling(best(donations));
            return !bestDonation.equals(before);
        } finally {
            leave();
        }
    }

    /** Returns all donations that this thread, the calling one, has received as a holder of a lock. */
    void returnDonation(VipSync lock) {
        enter(lock);
        try {
            if (donations != null) {
                donations.keySet().removeIf(waiter -> waiter.sync.is(lock));
                applyScheduling(best(donations));
            }
        } finally {
            leave();
        }
    }

    /** The best of all donations, none of which has become better. */
    private Donation best(Map<Waiter, Donation> all) {
        Donation best = Donation.NOTHING;
        for (Donation donation : all.values()) {
            best = best.or(donation);
            if (best.equals(bestDonation)) {
                break;
            }
        }
        return best;
    }

    /** Updates the thread's scheduling to its donations. */
    private void applyScheduling(Donation now) {
        bestDonation = now;
        Scheduling best = now.scheduling;
        Thread thread = get();
        if (tid == NO_TID || thread == null || !thread.isAlive()) {
            return; // it ended while holding the lock: its thread id may have been reused
        }
        if (own == null && best != null) {
            own = LinuxThreads.scheduling(tid);
        }
        if (own == null) {
            return;
        }
        Scheduling wanted = best != null && best.isBetterThan(own) ? best : own;
        if (!wanted.equals(inForce == null ? own : inForce)) {
            schedule(wanted);
        }
        if (best == null) {
            own = null;
            inForce = null;
        }
    }

    private void schedule(Scheduling wanted) {
        try {
            LinuxThreads.schedule(tid, wanted);
            inForce = wanted;
        } catch (IllegalStateException e) {
            PriorityTier.downgrade(
                    wanted.isRealTime() ? PriorityTier.REAL_TIME : PriorityTier.LENDING,
                    "the kernel refused: " + e.getMessage());
        }
    }

    private void enter(VipSync lock) {
        for (int times = 0; !GUARD.compareAndSet(this, false, true); times++) {
            lock.pause(times);
        }
    }

    private void leave() {
        GUARD.setVolatile(this, false);
    }
}

package dev.unjank.locks;

import dev.unjank.linux.LinuxThreads;
import dev.unjank.linux.Scheduling;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The state of a thread for the locks: its current waiter, its shared holds, and the donations it has received. Other
 * threads look it up by the owner's thread id in the lock's word.
 *
 * <p><b>Donation.</b> An important thread that waits for a lock donates its scheduling to the owner, until the owner
 * releases the lock. The donor enters the owner's guard, sets LENT in the lock's word if the word still names the
 * owner, makes the system call, and leaves the guard. An owner that finds LENT in the word that it has released enters
 * its own guard, which waits for a donation in progress, and returns the donation. Hence no thread keeps a donation
 * after it has released the lock, and no donation is made to a thread that no longer owns the lock, or that has
 * released its locks and ended.
 *
 * <p><b>Several donations.</b> There is one donation per waiter. A thread runs with the best of the donated scheduling
 * parameters, and with its own when no donation is left. Its own scheduling is read when the first donation arrives. If
 * another program changes the thread's scheduling during a donation, that change is lost when the donation ends.
 *
 * <p><b>A waiter that gives up</b> revokes its donation at once. The waiter first leaves the state in which waiters
 * donate; then it enters the guard of each holder and removes its donation there. A donor checks the waiter's state
 * under the same guard, so a donation is either removed or never made. The value of a donation is computed under the
 * holder's guard from the donations that the waiter has received at that moment. Each change of that value is
 * propagated along the chain. Hence no donation outlives the wait that caused it, under any interleaving.
 */
final class LockThread extends WeakReference<Thread> {
    private static final Map<Long, LockThread> ALL = new ConcurrentHashMap<>();
    private static final ReferenceQueue<Thread> ENDED = new ReferenceQueue<>();
    private static final ThreadLocal<@Nullable LockThread> CURRENT = new ThreadLocal<>();
    private static final int NO_TID = -1;

    /** The time for which a thread's scheduling class is cached. */
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

    /** The kernel thread id; {@link #NO_TID} for virtual threads and on systems without these system calls. */
    private final int tid;

    /**
     * The current waiter of the thread. Written by the thread before it reads {@link #bestDonation}, so that either the
     * thread sees the donation or the donor sees the waiter.
     */
    volatile @Nullable Waiter waiting;

    /** The shared holds of the thread. Changed only by the thread. */
    private volatile @Nullable SharedHold holds;

    /** The best of the donations. Written under the guard. */
    private volatile Donation bestDonation = Donation.NOTHING;

    // whether the thread is of a real-time class, and the time of that query; accessed only by the thread
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
     * @param importance the importance of the holder in queues where it waits
     * @param scheduling the scheduling of the holder in the kernel; null for no change
     */
    record Donation(Importance importance, @Nullable Scheduling scheduling) {
        static final Donation NOTHING = new Donation(Importance.ORDINARY, null);

        /** Combines two donations: the higher importance and the better scheduling. */
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

    /** Returns the state of the calling thread. */
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

    /** Returns the state of a thread, or null if the thread has ended. */
    static @Nullable LockThread of(long threadId) {
        return ALL.get(threadId);
    }

    /** Returns the importance of the thread without donations. Called only by the thread. */
    Importance ownImportance(VipSync lock) {
        Importance declared = Importance.declared();
        return declared != Importance.REAL_TIME && isOfRealTime(lock) ? Importance.REAL_TIME : declared;
    }

    /** Queries the scheduling class. The result is cached, because the system call takes longer than many waits. */
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

    /** Returns the thread's scheduling without donations, or null if it is unknown. */
    private @Nullable Scheduling ownScheduling(VipSync lock) {
        enter(lock);
        try {
            return own == null && tid != NO_TID ? LinuxThreads.scheduling(tid) : own;
        } finally {
            leave();
        }
    }

    // ---- shared holds

    /** Returns the thread's shared hold of a lock, creating it if necessary. Called only by the thread. */
    SharedHold hold(VipSync lock) {
        SharedHold known = holdOf(lock);
        if (known != null) {
            return known;
        }
        SharedHold hold = new SharedHold(lock, holds);
        holds = hold;
        return hold;
    }

    /** Returns the thread's shared hold of a lock, or null if there is none. */
    @Nullable
    SharedHold holdOf(VipSync lock) {
        return SharedHold.in(holds, lock);
    }

    /** Removes a shared hold, unless the thread still has a share. Called only by the thread. */
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

    /** Returns the threads with a share of a lock; includes at least all threads that have one throughout the call. */
    static List<LockThread> holdersOf(VipSync lock) {
        return ALL.values().stream()
                .filter(thread -> {
                    SharedHold hold = thread.holdOf(lock);
                    return hold != null && hold.isHeld();
                })
                .toList();
    }

    /**
     * Returns the threads that wait for a lock; includes at least all threads that wait throughout the call. Once a
     * waiting thread is included, it is included until it has got the lock or given up: {@link #waiting} and {@link
     * Waiter#isActive} change once per wait.
     */
    static List<Thread> waitersOf(VipSync lock) {
        List<Thread> threads = new ArrayList<>();
        for (LockThread each : ALL.values()) {
            Waiter waiter = each.waiting;
            Thread thread = waiter != null && waiter.sync.is(lock) && waiter.isActive() ? each.get() : null;
            if (thread != null) {
                threads.add(thread);
            }
        }
        return threads;
    }

    // ---- donations

    /** Returns the best donated importance. */
    Importance donatedImportance() {
        return bestDonation.importance;
    }

    /** Returns the best of the received donations, which the thread passes on while it waits. */
    Donation donation() {
        return bestDonation;
    }

    /**
     * Returns the scheduling that this thread donates for its importance; null if the current tier has none to donate.
     */
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

    /**
     * Updates the place of this thread's waiter in the queue to the received donations; returns whether the importance
     * has changed.
     */
    boolean rank(Waiter waiter) {
        enter(waiter.sync);
        try {
            return waiter.sync.queue().rank(waiter, waiter.own.or(bestDonation.importance));
        } finally {
            leave();
        }
    }

    /**
     * Applies a waiter's current donation to this thread.
     *
     * @return false if this thread no longer holds the lock, or the waiter has stopped waiting
     */
    boolean donate(Waiter waiter) {
        enter(waiter.sync);
        try {
            // before the state is read: a waiter that gives up sees this flag, or this thread sees the new state
            waiter.hasDonated = true;
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
     * Ends the donation of a waiter, or lowers it to the waiter's current donation.
     *
     * @return whether the best donation of this thread has changed
     */
    boolean revoke(Waiter waiter) {
        enter(waiter.sync);
        try {
            // a thread with a donation has not released the lock yet, or waits in returnDonation for this guard
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

    /** Ends all donations that this thread has received as a holder of a lock. Called by the thread itself. */
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

    /** Returns the best of the donations, if no donation has become better. */
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

    /** Applies the best donation to the thread's scheduling. */
    private void applyScheduling(Donation now) {
        bestDonation = now;
        Scheduling best = now.scheduling;
        Thread thread = get();
        if (tid == NO_TID || thread == null || !thread.isAlive()) {
            return; // the thread ended without releasing the lock; its kernel thread id may have been reused
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
                    "the kernel refused to change the scheduling of a thread: " + e.getMessage());
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

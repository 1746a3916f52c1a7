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
 * A thread as the locks see it: what it waits for, and what others have lent to it. Others reach it by the thread's id, which is what
 * a lock's word names.
 *
 * <p><b>Lending.</b> An important thread that waits for a lock lends to its owner what the kernel shall schedule it by, until the
 * owner releases the lock. Who lends takes the owner's guard, sets LENT in the lock's word if that still names the owner, makes the
 * system call, and leaves the guard. The owner that finds LENT in the word it has given away takes its own guard, so it waits for a
 * call under way, and takes the loan back. Hence nobody keeps a loan, and nothing is lent to a thread that does not own the lock
 * any more, or that has ended: it would have had to release the lock first.
 *
 * <p><b>Several loans.</b> There is one loan per waiter. A thread is scheduled by the best of its loans, and by its own scheduling when
 * the last loan has ended. Its own scheduling is read when the first loan arrives; a change from outside during a loan lasts as long as
 * the loan.
 *
 * <p><b>A waiter that gives up</b> ends its loan at once. It first leaves the state in which waiters lend, and then takes the guard of each
 * holder and removes its loan. A lender checks that state under the same guard, so a loan is either removed or never made. The value of a
 * loan is computed under the holder's guard from what the waiter is lent at that moment, and each change of that value is followed by
 * such a computation along the chain. Hence no loan outlives its reason, whatever the order.
 */
final class LockThread extends WeakReference<Thread> {
    private static final Map<Long, LockThread> ALL = new ConcurrentHashMap<>();
    private static final ReferenceQueue<Thread> ENDED = new ReferenceQueue<>();
    private static final ThreadLocal<@Nullable LockThread> CURRENT = new ThreadLocal<>();
    private static final int NONE = -1;

    /** So long is believed what the kernel said of a thread's class. */
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

    /** The kernel's number; {@link #NONE} of a virtual thread, and where the kernel cannot be asked. */
    private final int tid;

    /** What the thread waits for; written by it before it looks at {@link #lent}, so that one of it and a lender sees the other. */
    volatile @Nullable Waiter waiting;

    /** What it has shares of. The thread's own to change. */
    private volatile @Nullable SharedHold holds;

    /** The best of the loans. Written under the guard. */
    private volatile Loan lent = Loan.NOTHING;

    // what the kernel said of its class, and when; the thread's own
    private boolean hasAsked;
    private boolean isRealTime;
    private long askedAt;

    @SuppressWarnings("UnusedVariable") // through GUARD
    private boolean guard;

    // under the guard
    private @Nullable Scheduling own;
    private @Nullable Scheduling inForce;
    private @Nullable Map<Waiter, Loan> loans;

    /**
     * What a waiter lends to a holder of the lock.
     *
     * @param importance a rank in the queues in which the holder waits itself
     * @param scheduling what the kernel schedules it by, null for no change
     */
    record Loan(Importance importance, @Nullable Scheduling scheduling) {
        static final Loan NOTHING = new Loan(Importance.ORDINARY, null);

        /** The better of each part. */
        Loan or(Loan other) {
            Scheduling theirs = other.scheduling;
            boolean isBetter = theirs != null && (scheduling == null || theirs.isBetterThan(scheduling));
            return new Loan(importance.or(other.importance), isBetter ? theirs : scheduling);
        }
    }

    private LockThread(Thread thread) {
        super(thread, ENDED);
        id = thread.threadId();
        tid = thread.isVirtual() || LinuxThreads.obstacle() != null ? NONE : LinuxThreads.current();
    }

    /** The calling thread's. */
    static LockThread current() {
        LockThread known = CURRENT.get();
        return known == null ? register() : known;
    }

    private static LockThread register() {
        for (Object ended; (ended = ENDED.poll()) != null; ) {
            ALL.remove(((LockThread) ended).id);
        }
        LockThread standing = new LockThread(Thread.currentThread());
        ALL.put(standing.id, standing);
        CURRENT.set(standing);
        return standing;
    }

    /** That of a thread, null if it has ended. */
    static @Nullable LockThread of(long threadId) {
        return ALL.get(threadId);
    }

    /** The importance of the thread without loans. The thread's own. */
    Importance ownImportance(VipSync lock) {
        Importance declared = Importance.declared();
        return declared != Importance.REAL_TIME && isOfRealTime(lock) ? Importance.REAL_TIME : declared;
    }

    /** Asks the kernel, which takes as long as many a wait; so not for every one. */
    private boolean isOfRealTime(VipSync lock) {
        if (tid == NONE || PriorityTier.known() != PriorityTier.REAL_TIME) {
            return false;
        }
        long now = System.nanoTime();
        if (!hasAsked || now - askedAt > KNOWN_NANOS) {
            Scheduling scheduling = ownScheduling(lock);
            isRealTime = scheduling != null && scheduling.isRealTime();
            askedAt = now;
            hasAsked = true;
        }
        return isRealTime;
    }

    /** The thread's scheduling without loans, null if it is unknown. */
    private @Nullable Scheduling ownScheduling(VipSync lock) {
        enter(lock);
        try {
            return own == null && tid != NONE ? LinuxThreads.scheduling(tid) : own;
        } finally {
            leave();
        }
    }

    // ---- what it has shares of

    /** Its hold of a lock; one is made if there is none. The thread's own. */
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

    /** Forgets a hold, unless the thread has a share after all. The thread's own. */
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

    /** All that have a share of a lock: those that got it before the call and keep it are among them. */
    static List<LockThread> holdersOf(VipSync lock) {
        return ALL.values().stream()
                .filter(standing -> {
                    SharedHold hold = standing.holdOf(lock);
                    return hold != null && hold.isHeld();
                })
                .toList();
    }

    // ---- lending

    /** The importance that it is lent. */
    Importance lent() {
        return lent.importance;
    }

    /** All that it is lent, which it lends on while it waits. */
    Loan loan() {
        return lent;
    }

    /** The scheduling that this thread lends with an importance of its own; null if it has nothing to lend here. */
    @Nullable
    Scheduling toLend(Importance importance, VipSync lock) {
        return switch (PriorityTier.known()) {
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

    /** Brings the place in the queue of a waiter of this thread in line with its loans; says whether that has changed. */
    boolean rank(Waiter waiter) {
        enter(waiter.sync);
        try {
            return waiter.sync.queue().rank(waiter, waiter.own.or(lent.importance));
        } finally {
            leave();
        }
    }

    /**
     * Lends to this thread what a waiter has to lend now.
     *
     * @return false if it does not hold the lock any more, or the waiter has stopped waiting
     */
    boolean lend(Waiter waiter) {
        enter(waiter.sync);
        try {
            waiter.hasLent = true; // before the look at its state: a waiter that stops sees one of the two
            if (!waiter.sync.markLent(this) || !waiter.mayLend()) {
                return false;
            }
            if (loans == null) {
                loans = new LinkedHashMap<>();
            }
            Loan loan = waiter.loan();
            Loan before = loans.put(waiter, loan);
            settle(before == null || loan.or(before).equals(loan) ? lent.or(loan) : best(loans));
            return true;
        } finally {
            leave();
        }
    }

    /**
     * Ends or lowers the loan of a waiter, as far as the waiter does not justify it any more.
     *
     * @return whether this thread is lent less than before
     */
    boolean takeBack(Waiter waiter) {
        enter(waiter.sync);
        try {
            // with a loan it has not released the lock yet, or waits in giveBack for this guard
            if (loans == null || !loans.containsKey(waiter)) {
                return false;
            }
            Loan left = waiter.mayLend() ? waiter.loan() : Loan.NOTHING;
            if (left.importance.isImportant()) {
                loans.put(waiter, left);
            } else {
                loans.remove(waiter);
            }
            Loan before = lent;
            settle(best(loans));
            return !lent.equals(before);
        } finally {
            leave();
        }
    }

    /** Ends all loans to the calling thread, whose standing this is, as a holder of a lock. */
    void giveBack(VipSync lock) {
        enter(lock);
        try {
            if (loans != null) {
                loans.keySet().removeIf(waiter -> waiter.sync.is(lock));
                settle(best(loans));
            }
        } finally {
            leave();
        }
    }

    /** The best of all loans, none of which has become better. */
    private Loan best(Map<Waiter, Loan> all) {
        Loan best = Loan.NOTHING;
        for (Loan loan : all.values()) {
            best = best.or(loan);
            if (best.equals(lent)) {
                break;
            }
        }
        return best;
    }

    /** Brings the thread's scheduling in line with its loans. */
    private void settle(Loan now) {
        lent = now;
        Scheduling best = now.scheduling;
        Thread thread = get();
        if (tid == NONE || thread == null || !thread.isAlive()) {
            return; // one that ended with the lock in its hands: its number may be another's by now
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
            PriorityTier.lose(
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

package dev.unjank.locks;

import dev.unjank.linux.Scheduling;
import dev.unjank.linux.Tasks;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
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
 * <p><b>Several loans.</b> A thread may own several locks that others wait for. It is scheduled by the best of what it was lent,
 * and by its own when the last loan has gone. What it was before is asked when the first comes; who changes its scheduling from
 * outside in between, changes it for the time of the loan.
 */
final class Standing extends WeakReference<Thread> {
    private static final Map<Long, Standing> ALL = new ConcurrentHashMap<>();
    private static final ReferenceQueue<Thread> ENDED = new ReferenceQueue<>();
    private static final ThreadLocal<@Nullable Standing> CURRENT = new ThreadLocal<>();
    private static final int NONE = -1;

    /** So long is believed what the kernel said of a thread's class. */
    private static final long KNOWN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final VarHandle GUARD;

    static {
        try {
            GUARD = MethodHandles.lookup().findVarHandle(Standing.class, "guard", boolean.class);
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
    private volatile @Nullable Hold holds;

    /** What it counts as because of those that wait for locks of its own. */
    private volatile Importance lent = Importance.ORDINARY;

    // what the kernel said of its class, and when; the thread's own
    private boolean hasAsked;
    private boolean isRealTime;
    private long askedAt;

    @SuppressWarnings("UnusedVariable") // through GUARD
    private boolean guard;

    // under the guard
    private @Nullable Scheduling own;
    private @Nullable Scheduling inForce;
    private @Nullable Loan loans;

    /** What a thread was lent as the owner of a lock. */
    private static final class Loan {
        final VipSync lock;
        Importance importance;

        @Nullable
        Scheduling scheduling;

        final @Nullable Loan next;

        Loan(VipSync lock, Importance importance, @Nullable Scheduling scheduling, @Nullable Loan next) {
            this.lock = lock;
            this.importance = importance;
            this.scheduling = scheduling;
            this.next = next;
        }

        /** The list without the loan of a lock. */
        static @Nullable Loan without(@Nullable Loan list, VipSync lock) {
            if (list == null || list.lock.is(lock)) {
                return list == null ? null : list.next;
            }
            Loan rest = without(list.next, lock);
            return rest == list.next ? list : new Loan(list.lock, list.importance, list.scheduling, rest);
        }
    }

    private Standing(Thread thread) {
        super(thread, ENDED);
        id = thread.threadId();
        tid = thread.isVirtual() || Tasks.obstacle() != null ? NONE : Tasks.current();
    }

    /** The calling thread's. */
    static Standing current() {
        Standing known = CURRENT.get();
        return known == null ? register() : known;
    }

    private static Standing register() {
        for (Object ended; (ended = ENDED.poll()) != null; ) {
            ALL.remove(((Standing) ended).id);
        }
        Standing standing = new Standing(Thread.currentThread());
        ALL.put(standing.id, standing);
        CURRENT.set(standing);
        return standing;
    }

    /** That of a thread, null if it has ended. */
    static @Nullable Standing of(long threadId) {
        return ALL.get(threadId);
    }

    /** What the thread counts as when it begins to wait. The thread's own. */
    Importance importance() {
        Importance importance = Importance.declared().or(lent);
        return importance != Importance.REAL_TIME && isOfRealTime() ? Importance.REAL_TIME : importance;
    }

    /** Asks the kernel, which takes as long as many a wait; so not for every one. */
    private boolean isOfRealTime() {
        if (tid == NONE || Tier.known() != Tier.REAL_TIME) {
            return false;
        }
        long now = System.nanoTime();
        if (!hasAsked || now - askedAt > KNOWN_NANOS) {
            Scheduling scheduling = Tasks.scheduling(Tasks.SELF);
            isRealTime = scheduling != null && scheduling.isRealTime();
            askedAt = now;
            hasAsked = lent == Importance.ORDINARY; // else it is not the thread's own
        }
        return isRealTime;
    }

    // ---- what it has shares of

    /** Its hold of a lock; one is made if there is none. The thread's own. */
    Hold hold(VipSync lock) {
        Hold known = holdOf(lock);
        if (known != null) {
            return known;
        }
        Hold hold = new Hold(lock, holds);
        holds = hold;
        return hold;
    }

    /** Its hold of a lock, null if there is none. */
    @Nullable
    Hold holdOf(VipSync lock) {
        return Hold.in(holds, lock);
    }

    /** Forgets a hold, unless the thread has a share after all. The thread's own. */
    void drop(Hold hold) {
        if (hold.count > 0) {
            return;
        }
        Hold before = holds;
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
    static List<Standing> holdersOf(VipSync lock) {
        return ALL.values().stream()
                .filter(standing -> {
                    Hold hold = standing.holdOf(lock);
                    return hold != null && hold.isHeld();
                })
                .toList();
    }

    // ---- lending

    /** What it counts as because of those that wait for it. */
    Importance lent() {
        return lent;
    }

    /** What this thread, which is important, lends to those it waits for; null if it has nothing to lend here. */
    @Nullable
    Scheduling toLend(Importance importance) {
        return switch (Tier.known()) {
            case ORDERING -> null;
            case LENDING -> Scheduling.bestNice();
            case REAL_TIME -> {
                Scheduling mine = tid == NONE ? null : Tasks.scheduling(tid);
                yield importance == Importance.REAL_TIME && mine != null && mine.isRealTime()
                        ? Scheduling.realTime(Math.max(1, mine.priority()))
                        : Scheduling.bestNice();
            }
        };
    }

    /**
     * Lends to this thread as the owner of a lock.
     *
     * @return false if it does not own that any more
     */
    boolean lend(VipSync lock, Importance importance, @Nullable Scheduling scheduling) {
        enter(lock);
        try {
            if (!lock.markLent(this)) {
                return false;
            }
            Loan loan = loanOf(lock);
            if (loan == null) {
                loans = new Loan(lock, importance, scheduling, loans);
            } else {
                loan.importance = loan.importance.or(importance);
                loan.scheduling = better(loan.scheduling, scheduling);
            }
            settle();
            return true;
        } finally {
            leave();
        }
    }

    /** Takes back what was lent to the calling thread, whose standing this is, as the owner of a lock. */
    void giveBack(VipSync lock) {
        enter(lock);
        try {
            loans = Loan.without(loans, lock);
            settle();
        } finally {
            leave();
        }
    }

    private @Nullable Loan loanOf(VipSync lock) {
        for (Loan loan = loans; loan != null; loan = loan.next) {
            if (loan.lock.is(lock)) {
                return loan;
            }
        }
        return null;
    }

    private static @Nullable Scheduling better(@Nullable Scheduling one, @Nullable Scheduling other) {
        return one == null || (other != null && other.isBetterThan(one)) ? other : one;
    }

    /** Brings the thread's scheduling in line with its loans. */
    private void settle() {
        Importance highest = Importance.ORDINARY;
        Scheduling best = null;
        for (Loan loan = loans; loan != null; loan = loan.next) {
            highest = highest.or(loan.importance);
            best = better(best, loan.scheduling);
        }
        lent = highest;
        Thread thread = get();
        if (tid == NONE || thread == null || !thread.isAlive()) {
            return; // one that ended with the lock in its hands: its number may be another's by now
        }
        if (own == null && best != null) {
            own = Tasks.scheduling(tid);
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
            Tasks.schedule(tid, wanted);
            inForce = wanted;
        } catch (IllegalStateException e) {
            Tier.lose(wanted.isRealTime() ? Tier.REAL_TIME : Tier.LENDING, "the kernel refused: " + e.getMessage());
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

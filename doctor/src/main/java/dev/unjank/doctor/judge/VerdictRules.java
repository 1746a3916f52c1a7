package dev.unjank.doctor.judge;

import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Judgement;
import dev.unjank.doctor.model.LockConvoy;
import dev.unjank.doctor.model.OwnerInterval;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.QueueBacklog;
import dev.unjank.doctor.model.Segment;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rules that derive a verdict from a blame tree. They use only its leaves: if an owner itself waited, the state of
 * the thread that it waited for counts. Each leaf counts for one verdict, by its state and by the kind of wait directly
 * above it:
 *
 * <table>
 *   <caption>The verdict of a leaf</caption>
 *   <tr><th>leaf</th><th>lock</th><th>reply</th><th>garbage collector</th><th>safepoint</th></tr>
 *   <tr><td>any state, in a wait for a resource or result</td><td colspan="4">RESOURCE_EXHAUSTED or WAITED_FOR_RESULT instead of
 *       the verdicts of a lock, and instead of UNKNOWN</td></tr>
 *   <tr><td>running</td><td>LONG_HOLD</td><td>SLOW_REPLY</td><td>GC_BLOCKED</td><td>SAFEPOINT_BLOCKED</td></tr>
 *   <tr><td>preempted</td><td colspan="4">RUNNABLE_OWNER, and inverted time if less important than the blocked thread</td></tr>
 *   <tr><td>sleeping, also uninterruptibly</td><td>SLEEPING_OWNER</td><td>SLEEPING_OWNER</td><td>GC_BLOCKED</td><td>SAFEPOINT_BLOCKED</td></tr>
 *   <tr><td>stopped by a signal or debugger</td><td colspan="4">STOPPED</td></tr>
 *   <tr><td>in a GC pause</td><td colspan="4">GC_BLOCKED</td></tr>
 *   <tr><td>at a safepoint, reaching it, or in a native call that delays it</td><td colspan="4">SAFEPOINT_BLOCKED</td></tr>
 *   <tr><td>in a JNI critical section</td><td colspan="4">GC_BLOCKED_BY_CRITICAL</td></tr>
 *   <tr><td>in a cycle of waits in which no thread continued</td><td colspan="4">DEADLOCK</td></tr>
 *   <tr><td>unknown</td><td colspan="4">UNKNOWN</td></tr>
 *   <tr><td>the waiter itself: runnable</td><td colspan="4">NO_CPU</td></tr>
 *   <tr><td>the waiter itself: running after its wake-up</td><td colspan="4">none</td></tr>
 *   <tr><td>the waiter itself: in uninterruptible sleep</td><td colspan="4">BLOCKING_IO</td></tr>
 * </table>
 *
 * <p>The first rule that applies decides:
 *
 * <ol>
 *   <li>A wait without an owner has the verdict of its kind: {@link Verdict#NO_CPU}, {@link Verdict#BLOCKING_IO},
 *       {@link Verdict#QUEUE_BACKLOG}, {@link Verdict#STOPPED}, {@link Verdict#SLEPT}, {@link Verdict#SLOW_IO}, {@link
 *       Verdict#PINNED}, {@link Verdict#LONG_HANDLER}. If a sleep or I/O ends in a pause of the process, the larger
 *       part of the wait decides.
 *   <li>{@link Verdict#DEADLOCK}: a cycle of waits in which no thread continued, of any duration.
 *   <li>{@link Verdict#PRIORITY_INVERSION}: owners with a lower priority than the waiter were runnable (waiting for a
 *       CPU) for at least {@link #MIN_PREEMPTION_NS}: the inverted time. In a wait that is not for a lock, runnable
 *       owners must also have the largest share, and inverted time half of that. The inversion is <em>unbounded</em> if
 *       threads with a lower priority than the waiter ran during at least half of the inverted time and at least {@link
 *       #MIN_PREEMPTION_NS}, otherwise <em>bounded</em>.
 *   <li>{@link Verdict#LOCK_CONVOY}: the wait was for a lock, and at least {@link #MIN_CONVOY_THREADS} other waiters
 *       acquired it one after another before this one.
 *   <li>Otherwise the verdict with the largest share, even below half; {@link Verdict#RUNNABLE_OWNER} only from {@link
 *       #MIN_PREEMPTION_NS} on.
 * </ol>
 *
 * <p>Runnable time is not inverted time if the priorities are not recorded, or while the waiter itself runs (it may
 * spin, or be about to sleep): then no other thread delays it. Time after the waiter's last wake-up is not the owner's.
 *
 * <p>The priority of an owner is that at the beginning of each leaf, because the kernel changes it; the priority of the
 * waiter is that at the beginning of its wait.
 */
public final class VerdictRules {
    /** The shortest runnable time with a verdict, ns: less is ordinary scheduling latency. */
    public static final long MIN_PREEMPTION_NS = 200_000;

    /** The least number of earlier waiters in a convoy; one or two are an ordinary queue. */
    static final int MIN_CONVOY_THREADS = 3;

    /** The longest time, ns, from the end of a pause to the wake-up of a thread whose wait ended during the pause. */
    static final long MAX_WAKE_UP_NS = 1_000_000;

    private VerdictRules() {}

    /**
     * Judges a wait.
     *
     * @param convoy the earlier waits for the same lock, one after another; null if there is no convoy
     * @param backlog the messages that ran before the delayed one; null except for a {@link WaitKind#QUEUE}
     */
    static Judgement judge(Wait wait, @Nullable LockConvoy convoy, @Nullable QueueBacklog backlog) {
        Tally tally = new Tally(wait.thread(), wait.kind());
        tally.add(wait, Evidence.WAITER_EVENTS);
        if (tally.sum(Verdict.DEADLOCK) > 0 && wait.kind() != WaitKind.QUEUE) {
            return tally.judgement(Verdict.DEADLOCK);
        }
        return switch (wait.kind()) {
            case CPU -> tally.judgement(Verdict.NO_CPU);
            case KERNEL -> tally.judgement(Verdict.BLOCKING_IO);
            case STOP -> tally.judgement(Verdict.STOPPED);
            case QUEUE -> ofMessage(wait, backlog);
            case MONITOR, RUNTIME_LOCK, MUTEX, PARK, FUTEX -> ofLock(tally, convoy);
            case BINDER, GC, SAFEPOINT, RESOURCE, RESULT -> tally.judgement(tally.longest(true));
            case SLEEP -> tally.judgement(isProlonged(wait) ? tally.longest(false) : Verdict.SLEPT);
            case IO -> tally.judgement(isProlonged(wait) ? tally.longest(false) : Verdict.SLOW_IO);
            case PINNED, CARRIER -> tally.judgement(Verdict.PINNED);
            case HANDLER -> tally.judgement(Verdict.LONG_HANDLER);
        };
    }

    /** Whether a pause of the process prolonged a wait: it lasted until the end of the wait. */
    private static boolean isProlonged(Wait wait) {
        long[] pausedUntilNs = {wait.startNs()};
        wait.forEachLeaf(leaf -> {
            if (leaf.state().isPause()) {
                pausedUntilNs[0] = leaf.startNs() + leaf.durNs();
            }
        });
        return wait.endNs() - pausedUntilNs[0] < MAX_WAKE_UP_NS && pausedUntilNs[0] > wait.startNs();
    }

    private static Judgement ofLock(Tally tally, @Nullable LockConvoy convoy) {
        if (tally.sum(Verdict.PRIORITY_INVERSION) >= MIN_PREEMPTION_NS) {
            return tally.judgement(Verdict.PRIORITY_INVERSION);
        }
        if (convoy != null) {
            return tally.judgementOf(Verdict.LOCK_CONVOY, tally.longest(false));
        }
        return tally.judgement(tally.longest(false));
    }

    /** The sender of at least half of the messages is responsible, otherwise the looper. */
    private static Judgement ofMessage(Wait wait, @Nullable QueueBacklog backlog) {
        ThreadRef sender = backlog == null ? null : backlog.mainSender();
        Evidence evidence = wait.longestOwnerInterval().owner().evidence();
        ThreadRef responsible = sender == null ? wait.thread() : sender;
        return new Judgement(Verdict.QUEUE_BACKLOG, evidence, false, wait.durNs(), 0, responsible);
    }

    /** Sums the time of leaves by verdict. Inverted time is also runnable time, so it counts for two verdicts. */
    private static final class Tally {
        private final ThreadRef blocked;
        private final boolean isForLock;
        private final Map<Verdict, Share> shares = new EnumMap<>(Verdict.class);
        private long lessImportantNs;

        Tally(ThreadRef blocked, WaitKind kind) {
            this.blocked = blocked;
            this.isForLock = kind.isLock();
        }

        /** The time of one verdict, its evidence, and its time by thread. */
        private static final class Share {
            private long sumNs;
            private Evidence evidence = Evidence.WAITER_EVENTS;
            private final Map<Integer, Long> byThread = new LinkedHashMap<>();
            private @Nullable ThreadRef most;
            private long mostNs = -1;

            void add(ThreadRef thread, long ns, Evidence how) {
                sumNs += ns;
                evidence = evidence.orWorse(how);
                int key = thread.isInTrace() ? thread.utid() : ~thread.tid();
                long itsNs = byThread.merge(key, ns, Long::sum);
                if (itsNs > mostNs) {
                    mostNs = itsNs;
                    most = thread;
                }
            }
        }

        void add(Wait wait, Evidence above) {
            for (OwnerInterval ownerInterval : wait.ownerIntervals()) {
                Evidence evidence = above.orWorse(ownerInterval.owner().evidence());
                for (Segment part : ownerInterval.segments()) {
                    if (part.nextWait() != null
                            && isWaitUnderLock(part.nextWait().kind())) {
                        share(Verdict.SLEEPING_OWNER).add(part.thread(), part.durNs(), evidence);
                    } else if (part.nextWait() != null) {
                        add(part.nextWait(), evidence);
                    } else if (part.state() != OwnerState.RUNNING || !isAfterWakeUp(wait, ownerInterval)) {
                        addLeaf(wait.kind(), part, evidence);
                    }
                }
            }
        }

        /** Whether an interval is the blocked thread's own after its wake-up: then it ran, and did not wait. */
        @SuppressWarnings("ReferenceEquality") // identity
        private boolean isAfterWakeUp(Wait wait, OwnerInterval ownerInterval) {
            return wait.thread().utid() == blocked.utid()
                    && wait.wakeDelayNs() > 0
                    && ownerInterval == wait.ownerIntervals().getLast();
        }

        /** Whether the owner of a lock waits for a resource or a result: then it sleeps while it holds the lock. */
        private boolean isWaitUnderLock(WaitKind kind) {
            return isForLock && (kind == WaitKind.RESOURCE || kind == WaitKind.RESULT);
        }

        private void addLeaf(WaitKind kind, Segment leaf, Evidence evidence) {
            Verdict verdict = verdictOf(kind, leaf);
            long ns = leaf.durNs();
            if (verdict == Verdict.RUNNABLE_OWNER) {
                ns = leaf.preemptedByOthersNs(blocked);
                if (leaf.thread().isLessImportantThan(blocked)) {
                    share(Verdict.PRIORITY_INVERSION).add(leaf.thread(), ns, evidence);
                    lessImportantNs += Math.min(ns, leaf.lessImportantNs());
                }
            }
            share(verdict).add(leaf.thread(), ns, evidence);
        }

        private Verdict verdictOf(WaitKind kind, Segment leaf) {
            Verdict ownActivity = ofOwnActivity(kind);
            boolean isPause = (kind == WaitKind.SLEEP || kind == WaitKind.IO)
                    && leaf.state().isPause();
            if (ownActivity != null && !isPause) {
                return ownActivity;
            }
            boolean own =
                    leaf.thread().utid() == blocked.utid() && leaf.thread().isInTrace();
            return switch (leaf.state()) {
                case RUNNING ->
                    own
                            ? Verdict.UNKNOWN
                            : kind == WaitKind.BINDER ? Verdict.SLOW_REPLY : below(kind, Verdict.LONG_HOLD);
                case RUNNABLE ->
                    own
                            ? Verdict.NO_CPU
                            : leaf.thread().hasPriority() && blocked.hasPriority()
                                    ? Verdict.RUNNABLE_OWNER
                                    : Verdict.UNKNOWN;
                case SLEEPING, IO_WAIT, UNINTERRUPTIBLE ->
                    own && leaf.state() != OwnerState.SLEEPING
                            ? Verdict.BLOCKING_IO
                            : below(kind, Verdict.SLEEPING_OWNER);
                case STOPPED -> Verdict.STOPPED;
                case GC_PAUSE -> Verdict.GC_BLOCKED;
                case REACHING_SAFEPOINT, SAFEPOINT, CRITICAL_CALL -> Verdict.SAFEPOINT_BLOCKED;
                case JNI_CRITICAL -> Verdict.GC_BLOCKED_BY_CRITICAL;
                case DEADLOCKED -> Verdict.DEADLOCK;
                case BLOCKED, UNKNOWN -> ofUnknown(kind);
            };
        }

        /** The verdict of a wait whose owner is the thread itself, whatever its state; null for other waits. */
        private static @Nullable Verdict ofOwnActivity(WaitKind kind) {
            return switch (kind) {
                case SLEEP -> Verdict.SLEPT;
                case IO -> Verdict.SLOW_IO;
                case PINNED, CARRIER -> Verdict.PINNED;
                case HANDLER -> Verdict.LONG_HANDLER;
                default -> null;
            };
        }

        /** The verdict of an unknown state; a wait for a resource or a result has its verdict in any state. */
        private static Verdict ofUnknown(WaitKind kind) {
            return switch (kind) {
                case RESOURCE -> Verdict.RESOURCE_EXHAUSTED;
                case RESULT -> Verdict.WAITED_FOR_RESULT;
                default -> Verdict.UNKNOWN;
            };
        }

        /**
         * The verdict of a state directly below a wait for the runtime, a resource or a result; otherwise the given
         * verdict.
         */
        private static Verdict below(WaitKind kind, Verdict otherwise) {
            return switch (kind) {
                case GC -> Verdict.GC_BLOCKED;
                case SAFEPOINT -> Verdict.SAFEPOINT_BLOCKED;
                case RESOURCE -> Verdict.RESOURCE_EXHAUSTED;
                case RESULT -> Verdict.WAITED_FOR_RESULT;
                default -> otherwise;
            };
        }

        private Share share(Verdict verdict) {
            return shares.computeIfAbsent(verdict, key -> new Share());
        }

        long sum(Verdict verdict) {
            Share share = shares.get(verdict);
            return share == null ? 0 : share.sumNs;
        }

        /** The verdict with the most time; among equals the first. */
        Verdict longest(boolean mayBeInverted) {
            Verdict longest = Verdict.UNKNOWN;
            long most = sum(Verdict.UNKNOWN);
            for (Map.Entry<Verdict, Share> entry : shares.entrySet()) {
                Verdict verdict = entry.getKey();
                long ns = entry.getValue().sumNs;
                boolean counts = switch (verdict) {
                    case PRIORITY_INVERSION -> false; // a part of the preempted time
                    case RUNNABLE_OWNER -> ns >= MIN_PREEMPTION_NS;
                    default -> true;
                };
                if (counts && ns > most) {
                    most = ns;
                    longest = verdict;
                }
            }
            return longest == Verdict.RUNNABLE_OWNER && mayBeInverted && isMostlyInverted()
                    ? Verdict.PRIORITY_INVERSION
                    : longest;
        }

        private boolean isMostlyInverted() {
            long inverted = sum(Verdict.PRIORITY_INVERSION);
            return inverted >= MIN_PREEMPTION_NS && inverted * 2 >= sum(Verdict.RUNNABLE_OWNER);
        }

        /** Whether threads less important than the waiter ran for most of the inverted time. */
        private boolean isUnbounded() {
            return lessImportantNs >= MIN_PREEMPTION_NS && lessImportantNs * 2 >= sum(Verdict.PRIORITY_INVERSION);
        }

        Judgement judgement(Verdict verdict) {
            return judgementOf(verdict, verdict);
        }

        /** A judgement with the time and evidence of another verdict. */
        Judgement judgementOf(Verdict verdict, Verdict decisive) {
            Share share = share(decisive);
            ThreadRef responsible = share.most == null ? blocked : share.most;
            boolean isInversion = verdict == Verdict.PRIORITY_INVERSION;
            return new Judgement(
                    verdict,
                    share.evidence,
                    isInversion && isUnbounded(),
                    verdict == Verdict.UNKNOWN ? 0 : share.sumNs,
                    isInversion ? lessImportantNs : 0,
                    responsible);
        }
    }
}

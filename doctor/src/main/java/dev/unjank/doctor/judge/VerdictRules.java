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
 * The rules that turn a blame tree into a verdict, in the order in which they are tried. All look at the leaves, so that an
 * owner that itself waited passes the blame on: what the one it waited for did counts instead. Each leaf speaks for one verdict,
 * by what happened in it and by what kind of thing was waited for directly above it:
 *
 * <table>
 *   <caption>What a leaf speaks for</caption>
 *   <tr><th>leaf</th><th>lock</th><th>reply</th><th>garbage collector</th><th>safepoint</th></tr>
 *   <tr><td>any state, of a resource or a result</td><td colspan="4">RESOURCE_EXHAUSTED or WAITED_FOR_RESULT instead of the
 *       verdicts of a lock, and if the state is not known</td></tr>
 *   <tr><td>running</td><td>LONG_HOLD</td><td>SLOW_REPLY</td><td>GC_BLOCKED</td><td>SAFEPOINT_BLOCKED</td></tr>
 *   <tr><td>preempted</td><td colspan="4">PREEMPTED_OWNER, and inverted time if less important than the blocked thread</td></tr>
 *   <tr><td>asleep, in the kernel</td><td>SLEEPING_OWNER</td><td>SLEEPING_OWNER</td><td>GC_BLOCKED</td><td>SAFEPOINT_BLOCKED</td></tr>
 *   <tr><td>stopped from outside</td><td colspan="4">STOPPED</td></tr>
 *   <tr><td>stopped for a pause</td><td colspan="4">GC_BLOCKED</td></tr>
 *   <tr><td>stopped, or being stopped, for a safepoint, or in a call that keeps all from being</td><td colspan="4">SAFEPOINT_BLOCKED</td></tr>
 *   <tr><td>in a critical section</td><td colspan="4">GC_BLOCKED_BY_CRITICAL</td></tr>
 *   <tr><td>in a circle in which no thread continued</td><td colspan="4">DEADLOCK</td></tr>
 *   <tr><td>not known</td><td colspan="4">UNKNOWN</td></tr>
 *   <tr><td>the blocked thread's own: without a CPU</td><td colspan="4">NO_CPU</td></tr>
 *   <tr><td>the blocked thread's own: in the kernel</td><td colspan="4">BLOCKING_IO</td></tr>
 * </table>
 *
 * <ol>
 *   <li>A wait without an owner has the verdict of its kind: {@link Verdict#NO_CPU}, {@link Verdict#BLOCKING_IO}, {@link
 *       Verdict#QUEUE_BACKLOG}, {@link Verdict#STOPPED}, {@link Verdict#SLEPT}, {@link Verdict#SLOW_IO}, {@link
 *       Verdict#PINNED}, {@link Verdict#LONG_HANDLER}. A sleep or I/O that ended with a pause of the process has the verdict of the
 *       larger share.
 *   <li>{@link Verdict#DEADLOCK}: a circle of waits in which no thread continued, however short.
 *   <li>{@link Verdict#PRIORITY_INVERSION}: owners of lower priority than the blocked thread were runnable without
 *       running for at least {@link #MIN_PREEMPTION_NS}, and the wait was for a lock, or preemption is the longest share and at
 *       least half of it is such time. It is <em>unbounded</em> if a thread with a lower priority than the blocked one ran at any such moment, otherwise
 *       <em>bounded</em>.
 *   <li>{@link Verdict#LOCK_CONVOY}: the wait was for a lock, and at least {@link #MIN_CONVOY_THREADS} other threads that had waited
 *       for the same lock got it one after the other before this one did.
 *   <li>Otherwise the largest share decides, even below half; {@link Verdict#PREEMPTED_OWNER} only if it was as
 *       much as the least inversion.
 * </ol>
 *
 * <p>Preemption between threads whose priorities are not recorded is unknown. Preemption by the blocked thread itself
 * counts for nothing: one that spins or is about to sleep may run in its owner's way, but while it runs no other thread delays the
 * two of them up. What the blocked thread did after its last wake-up is its own: its wait was over.
 *
 * <p>An owner's priority is taken at the beginning of each leaf, since the kernel changes it on the way; the blocked
 * thread's at the beginning of its wait.
 */
public final class VerdictRules {
    /** Shorter than this is a scheduler's ordinary latency and no verdict. */
    public static final long MIN_PREEMPTION_NS = 200_000;

    /** One or two threads before this one are a queue as any; three that follow one another do so all the time. */
    static final int MIN_CONVOY_THREADS = 3;

    /** A thread whose time has come during a pause continues this soon after it. */
    static final long MAX_WAKE_UP_NS = 1_000_000;

    private VerdictRules() {}

    /**
     * Judges a wait.
     *
     * @param convoy the waits for the same lock that followed one another in this one, null if it was no convoy
     * @param backlog what was in the way of a message, null but for a {@link WaitKind#QUEUE}
     */
    static Judgement judge(Wait wait, @Nullable LockConvoy convoy, @Nullable QueueBacklog backlog) {
        Tally tally = new Tally(wait.thread(), wait.kind());
        tally.add(wait, Evidence.SCHEDULER);
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

    /** Whether a pause of the process lasted until the end of a wait: one that ends before does not prolong it. */
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
        return new Judgement(Verdict.QUEUE_BACKLOG, evidence, false, wait.durNs(), responsible);
    }

    /** The leaves' time by the verdict that they speak for. Inverted time counts twice: it is preempted time as well. */
    private static final class Tally {
        private final ThreadRef blocked;
        private final boolean isForLock;
        private final Map<Verdict, Share> shares = new EnumMap<>(Verdict.class);
        private boolean unbounded;

        Tally(ThreadRef blocked, WaitKind kind) {
            this.blocked = blocked;
            this.isForLock = kind.isLock();
        }

        /** What speaks for one verdict: how long, how well it is known, and how much of it each thread took. */
        private static final class Share {
            private long sumNs;
            private Evidence evidence = Evidence.SCHEDULER;
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
                    } else {
                        addLeaf(wait.kind(), part, evidence);
                    }
                }
            }
        }

        /** Whatever an owner of a lock waits for other than locks and the runtime: it should not wait with the lock. */
        private boolean isWaitUnderLock(WaitKind kind) {
            return isForLock && (kind == WaitKind.RESOURCE || kind == WaitKind.RESULT);
        }

        private void addLeaf(WaitKind kind, Segment leaf, Evidence evidence) {
            Verdict verdict = verdictOf(kind, leaf);
            long ns = leaf.durNs();
            if (verdict == Verdict.PREEMPTED_OWNER) {
                ns = leaf.preemptedByOthersNs(blocked);
                if (leaf.thread().isLessImportantThan(blocked)) {
                    share(Verdict.PRIORITY_INVERSION).add(leaf.thread(), ns, evidence);
                    unbounded |= leaf.preemptedBy().stream()
                            .anyMatch(other -> other.thread().utid() != blocked.utid()
                                    && other.thread().isLessImportantThan(blocked));
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
                case PREEMPTED ->
                    own
                            ? Verdict.NO_CPU
                            : leaf.thread().hasPriority() && blocked.hasPriority()
                                    ? Verdict.PREEMPTED_OWNER
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

        /** That all permits were taken, or that a result was late, is known although the other thread's state is not. */
        private static Verdict ofUnknown(WaitKind kind) {
            return switch (kind) {
                case RESOURCE -> Verdict.RESOURCE_EXHAUSTED;
                case RESULT -> Verdict.WAITED_FOR_RESULT;
                default -> Verdict.UNKNOWN;
            };
        }

        /** Whatever the runtime does while it collects or holds threads still, it does for that. */
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

        /** What took the most time; of equals the first in the order of verdicts. */
        Verdict longest(boolean mayBeInverted) {
            Verdict longest = Verdict.UNKNOWN;
            long most = sum(Verdict.UNKNOWN);
            for (Map.Entry<Verdict, Share> entry : shares.entrySet()) {
                Verdict verdict = entry.getKey();
                long ns = entry.getValue().sumNs;
                boolean counts = switch (verdict) {
                    case PRIORITY_INVERSION -> false; // a part of the preempted time
                    case PREEMPTED_OWNER -> ns >= MIN_PREEMPTION_NS;
                    default -> true;
                };
                if (counts && ns > most) {
                    most = ns;
                    longest = verdict;
                }
            }
            return longest == Verdict.PREEMPTED_OWNER && mayBeInverted && isMostlyInverted()
                    ? Verdict.PRIORITY_INVERSION
                    : longest;
        }

        private boolean isMostlyInverted() {
            long inverted = sum(Verdict.PRIORITY_INVERSION);
            return inverted >= MIN_PREEMPTION_NS && inverted * 2 >= sum(Verdict.PREEMPTED_OWNER);
        }

        Judgement judgement(Verdict verdict) {
            return judgementOf(verdict, verdict);
        }

        /** A verdict that rests on what speaks for another one. */
        Judgement judgementOf(Verdict verdict, Verdict decisive) {
            Share share = share(decisive);
            ThreadRef responsible = share.most == null ? blocked : share.most;
            boolean bad = verdict == Verdict.PRIORITY_INVERSION && unbounded;
            return new Judgement(
                    verdict, share.evidence, bad, verdict == Verdict.UNKNOWN ? 0 : share.sumNs, responsible);
        }
    }
}

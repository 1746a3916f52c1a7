package dev.unjank.doctor;

/**
 * The rules that turn a blame tree into a verdict, in the order in which they are tried. All look at the leaves, so that an
 * owner that itself waited for a further lock passes the blame on to that lock's owner: what that one did counts instead.
 *
 * <ol>
 *   <li>{@link Verdict#DEADLOCK}: a circle of waits in which nobody went on.
 *   <li>{@link Verdict#PRIORITY_INVERSION}: owners of lower priority than the blocked thread were ready to run without
 *       running for at least {@link #LEAST_PREEMPTION_NS}. It is <em>unbounded</em> if a thread less important than the
 *       blocked one ran instead at any such moment, else <em>bounded</em>.
 *   <li>Otherwise what took the most time decides, be it less than half: {@link Verdict#PREEMPTED_OWNER} (if it was as much as that least),
 *       {@link Verdict#LONG_HOLD}, {@link Verdict#SLEEPING_OWNER}, or {@link Verdict#UNKNOWN} if that is what cannot be
 *       known, which includes preemption between threads whose priorities the trace does not tell.
 * </ol>
 *
 * <p>Leaves after the blocked thread's last wake-up do not count: the owner had let go of the lock, whatever it did then.
 *
 * <p>Nor does preemption by the blocked thread itself: one that spins or is about to sleep may run in its owner's way, but
 * while it runs nobody else holds the two of them up.
 *
 * <p>An owner's priority is taken at the beginning of each leaf, since the kernel changes it on the way; the blocked
 * thread's at the beginning of its wait.
 */
final class Rules {
    /** Shorter than this is a scheduler's ordinary latency and no verdict. */
    static final long LEAST_PREEMPTION_NS = 200_000;

    private Rules() {}

    static Judgement judge(LockWait wait) {
        Tally tally = new Tally(wait.thread());
        wait.forEachLeaf(
                leaf -> {
                    if (leaf.startNs() < wait.wokenNs()) {
                        tally.add(leaf);
                    }
                },
                hold -> tally.deadlockNs += Math.max(1, hold.durNs()));
        if (tally.deadlockNs > 0) {
            return new Judgement(Verdict.DEADLOCK, false, tally.invertedNs);
        }
        if (tally.invertedNs >= LEAST_PREEMPTION_NS) {
            return new Judgement(Verdict.PRIORITY_INVERSION, tally.unbounded, tally.invertedNs);
        }
        return new Judgement(tally.longest(), false, tally.invertedNs);
    }

    /** The leaves' time by what it means for the verdict. */
    private static final class Tally {
        private final ThreadRef blocked;
        private long deadlockNs;
        private long invertedNs;
        private long preemptedNs;
        private long runningNs;
        private long asleepNs;
        private long unknownNs;
        private boolean unbounded;

        Tally(ThreadRef blocked) {
            this.blocked = blocked;
        }

        void add(Part leaf) {
            switch (leaf.state()) {
                case RUNNING -> runningNs += leaf.durNs();
                case PREEMPTED -> addPreempted(leaf);
                case SLEEPING, IO_WAIT, UNINTERRUPTIBLE -> asleepNs += leaf.durNs();
                case BLOCKED, UNKNOWN -> unknownNs += leaf.durNs();
            }
        }

        private void addPreempted(Part leaf) {
            if (!leaf.thread().hasPriority() || !blocked.hasPriority()) {
                unknownNs += leaf.durNs();
                return;
            }
            long byOthersNs = leaf.durNs();
            boolean lessImportantRan = false;
            for (Culprit culprit : leaf.ranInstead()) {
                if (culprit.thread().utid() == blocked.utid()) {
                    byOthersNs -= Math.min(byOthersNs, culprit.ranNs());
                } else {
                    lessImportantRan |= culprit.thread().isLessImportantThan(blocked);
                }
            }
            preemptedNs += byOthersNs;
            if (leaf.thread().isLessImportantThan(blocked)) {
                invertedNs += byOthersNs;
                unbounded |= lessImportantRan;
            }
        }

        Verdict longest() {
            long preempted = preemptedNs >= LEAST_PREEMPTION_NS ? preemptedNs : 0;
            long most = Math.max(Math.max(preempted, runningNs), Math.max(asleepNs, unknownNs));
            if (most == 0 || most == unknownNs) {
                return Verdict.UNKNOWN;
            }
            if (most == preempted) {
                return Verdict.PREEMPTED_OWNER;
            }
            return most == runningNs ? Verdict.LONG_HOLD : Verdict.SLEEPING_OWNER;
        }
    }
}

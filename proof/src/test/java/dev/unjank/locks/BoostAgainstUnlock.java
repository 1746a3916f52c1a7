package dev.unjank.locks;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * An important thread donates to the owner while that releases the lock: the owner has returned the donation, or never
 * had it.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "No donation is left.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A loan was left behind.")
@State
@SuppressWarnings("LockNotBeforeTry") // nothing is done under it
public class BoostAgainstUnlock {
    private final VipLock lock;
    private LockThread owner;
    private LockThread vip;

    public BoostAgainstUnlock() {
        this(FaultyLockSync.Fault.NONE);
    }

    BoostAgainstUnlock(FaultyLockSync.Fault fault) {
        lock = FaultyLockSync.lock(fault);
    }

    @Actor
    public void owner() {
        owner = LockThread.current();
        lock.lock();
        FaultyLockSync.busy();
        lock.unlock();
    }

    @Actor
    public void vip() {
        vip = LockThread.current();
        Importance.VIP.run(() -> {
            lock.lock();
            lock.unlock();
        });
    }

    @Arbiter
    public void afterwards(II_Result r) {
        r.r1 = lentTo(owner);
        r.r2 = lentTo(vip);
    }

    /** The donations, cleared so that the next test with this thread starts anew. */
    private int lentTo(LockThread standing) {
        boolean isLent = standing.donatedImportance() != Importance.ORDINARY;
        if (isLent) {
            standing.returnDonation(lock.sync);
        }
        return isLent ? 1 : 0;
    }

    /** Seeded: the owner keeps a donation. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "No donation is left.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A loan was left behind.")
    @State
    public static class SeededOwner {
        private final BoostAgainstUnlock test = new BoostAgainstUnlock(FaultyLockSync.Fault.KEEPS_THE_LOAN);

        @Actor
        public void owner() {
            test.owner();
        }

        @Actor
        public void vip() {
            test.vip();
        }

        @Arbiter
        public void afterwards(II_Result r) {
            test.afterwards(r);
        }
    }
}

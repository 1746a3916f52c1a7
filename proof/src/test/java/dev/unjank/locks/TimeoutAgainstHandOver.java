package dev.unjank.locks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * An important thread stops waiting while the lock is granted to it: it has it and releases it, or no thread has it.
 */
@JCStressTest
@Outcome(
        id = {"0, 1", "1, 1"},
        expect = Expect.ACCEPTABLE,
        desc = "It had the lock or not, and the lock is free.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The lock was given to one that had gone.")
@State
@SuppressWarnings("LockNotBeforeTry") // if a test fails, the lock is no longer used
public class TimeoutAgainstHandOver {
    private final VipLock lock;

    public TimeoutAgainstHandOver() {
        this(FaultyLockSync.Fault.NONE);
    }

    TimeoutAgainstHandOver(FaultyLockSync.Fault fault) {
        lock = FaultyLockSync.lock(fault);
    }

    @Actor
    public void owner() {
        lock.lock();
        FaultyLockSync.busy();
        lock.unlock();
    }

    @Actor
    public void vip(II_Result r) {
        Importance.VIP.run(() -> {
            try {
                if (lock.tryLock(1_000, TimeUnit.NANOSECONDS)) {
                    r.r1 = 1;
                    lock.unlock();
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Arbiter
    public void afterwards(II_Result r) {
        r.r2 = lock.tryLock() ? 1 : 0;
    }

    /** Seeded: a thread gives up after its timeout although the lock is about to be its own. */
    @JCStressTest
    @Outcome(
            id = {"0, 1", "1, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "It had the lock or not, and the lock is free.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The lock was given to one that had gone.")
    @State
    public static class Seeded {
        private final TimeoutAgainstHandOver test =
                new TimeoutAgainstHandOver(FaultyLockSync.Fault.CANCELS_WHAT_IS_CLAIMED);

        @Actor
        public void owner() {
            test.owner();
        }

        @Actor
        public void vip(II_Result r) {
            test.vip(r);
        }

        @Arbiter
        public void afterwards(II_Result r) {
            test.afterwards(r);
        }
    }
}

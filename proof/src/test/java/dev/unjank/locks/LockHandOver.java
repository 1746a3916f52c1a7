package dev.unjank.locks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two threads, one of them sometimes important, pass the lock on: both get it as often as they want. */
@JCStressTest
@Outcome(id = "6, 6, 1", expect = Expect.ACCEPTABLE, desc = "All have had it, and it is free.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A thread sleeps beside a free lock, or two were inside.")
@State
public class LockHandOver {
    /** No thread is preempted this long; a thread that waits longer sleeps beside a free lock. */
    private static final long LONG_MILLIS = 500;

    private final VipLock lock;
    private int had;
    private int count;

    public LockHandOver() {
        this(FaultyLockSync.Fault.NONE);
    }

    LockHandOver(FaultyLockSync.Fault fault) {
        lock = FaultyLockSync.lock(fault);
    }

    private void pass() {
        try {
            if (lock.tryLock(LONG_MILLIS, TimeUnit.MILLISECONDS)) {
                had++;
                FaultyLockSync.busy();
                count++;
                lock.unlock();
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Actor
    public void first() {
        pass();
        pass();
        pass();
    }

    @Actor
    public void second() {
        pass();
        Importance.VIP.run(this::pass);
        pass();
    }

    @Arbiter
    public void afterwards(III_Result r) {
        r.r1 = had;
        r.r2 = count;
        r.r3 = lock.tryLock() ? 1 : 0;
    }

    /** Seeded: a woken thread that has tried does not publish that others wait. */
    @JCStressTest
    @Outcome(id = "6, 6, 1", expect = Expect.ACCEPTABLE, desc = "All have had it.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A thread sleeps beside a free lock.")
    @State
    public static class Seeded {
        private final LockHandOver test = new LockHandOver(FaultyLockSync.Fault.DOES_NOT_ANSWER);

        @Actor
        public void first() {
            test.first();
        }

        @Actor
        public void second() {
            test.second();
        }

        @Arbiter
        public void afterwards(III_Result r) {
            test.afterwards(r);
        }
    }
}

package dev.unjank.locks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A thread waits for two permits while they are released one by one: it gets them, and none is lost or created. */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "It has both.")
@Outcome(expect = Expect.FORBIDDEN, desc = "It sleeps though there are permits, or there are too many.")
@State
public class SeveralPermits {
    private static final long LONG_MILLIS = 500;

    private final VipSemaphore semaphore = new VipSemaphore(0);

    @Actor
    public void acquirer(II_Result r) {
        try {
            r.r1 = semaphore.tryAcquire(2, LONG_MILLIS, TimeUnit.MILLISECONDS) ? 1 : 0;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Actor
    public void releaser() {
        semaphore.release();
        semaphore.release();
    }

    @Arbiter
    public void afterwards(II_Result r) {
        r.r2 = semaphore.availablePermits();
    }
}

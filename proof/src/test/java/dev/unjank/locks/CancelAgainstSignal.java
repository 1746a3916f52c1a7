package dev.unjank.locks;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A thread stops waiting for a condition while it is signalled: it consumes the signal, or the signal goes to another.
 */
@JCStressTest
@Outcome(
        id = {"0, 1", "1, 0"},
        expect = Expect.ACCEPTABLE,
        desc = "Gone, or signalled.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The signal is lost, or used twice.")
@State
public class CancelAgainstSignal {
    private final FaultyLockSync sync;
    private final Waiter waiter;

    public CancelAgainstSignal() {
        this(FaultyLockSync.Fault.NONE);
    }

    CancelAgainstSignal(FaultyLockSync.Fault fault) {
        sync = new FaultyLockSync(fault);
        waiter = sync.conditionWaiter();
    }

    @Actor
    public void waiter(II_Result r) {
        r.r1 = waiter.casState(Waiter.CONDITION, Waiter.CANCELLED) ? 1 : 0;
    }

    @Actor
    public void signaller(II_Result r) {
        sync.lock();
        r.r2 = sync.transfer(waiter) ? 1 : 0;
        sync.unlock();
    }

    /** Seeded: a signal goes to a waiter that has given up. */
    @JCStressTest
    @Outcome(
            id = {"0, 1", "1, 0"},
            expect = Expect.ACCEPTABLE,
            desc = "Gone, or signalled.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The signal is lost.")
    @State
    public static class Seeded {
        private final CancelAgainstSignal test = new CancelAgainstSignal(FaultyLockSync.Fault.SIGNALS_WHO_HAS_GONE);

        @Actor
        public void waiter(II_Result r) {
            test.waiter(r);
        }

        @Actor
        public void signaller(II_Result r) {
            test.signaller(r);
        }
    }
}

package dev.unjank.locks;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A thread stops waiting for a permit while it is woken to take it: the next waiter is woken instead. */
@JCStressTest
@Outcome(
        id = {"0, 0", "1, 1"},
        expect = Expect.ACCEPTABLE,
        desc = "The one is awake, or has gone and the other is.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The other sleeps though there is a permit.")
@State
public class TimeoutAgainstWakeUp {
    private final FaultySemaphoreSync sync;
    private final Waiter impatient;
    private final Waiter patient;

    public TimeoutAgainstWakeUp() {
        this(FaultyLockSync.Fault.NONE);
    }

    TimeoutAgainstWakeUp(FaultyLockSync.Fault fault) {
        sync = new FaultySemaphoreSync(fault, 0);
        impatient = sync.waiter(1, false, Waiter.WAITING);
        sync.enqueue(impatient);
        patient = sync.waiter(1, true, Waiter.WAITING);
        sync.enqueue(patient);
    }

    @Actor
    public void releaser() {
        sync.add(1);
    }

    @Actor
    public void impatient(II_Result r) {
        if (impatient.cancel()) {
            sync.recheckOwner();
            r.r1 = 1;
        }
    }

    @Arbiter
    public void afterwards(II_Result r) {
        r.r2 = patient.stateVolatile() == Waiter.WOKEN ? 1 : 0;
    }

    /** Seeded: a thread that wakes a waiter which gives up at that moment does not choose another. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "1, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "The one is awake, or has gone and the other is.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The other sleeps though there is a permit.")
    @State
    public static class Seeded {
        private final TimeoutAgainstWakeUp test = new TimeoutAgainstWakeUp(FaultyLockSync.Fault.WAKES_NOBODY);

        @Actor
        public void releaser() {
            test.releaser();
        }

        @Actor
        public void impatient(II_Result r) {
            test.impatient(r);
        }

        @Arbiter
        public void afterwards(II_Result r) {
            test.afterwards(r);
        }
    }
}

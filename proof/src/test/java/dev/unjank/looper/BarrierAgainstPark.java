package dev.unjank.looper;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The looper goes to sleep behind a barrier while that is removed: it does not sleep, or it is woken. */
@JCStressTest
@Outcome(
        id = {"1, 0", "1, 1"},
        expect = Expect.ACCEPTABLE,
        desc = "Taken, woken or not.")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Asleep and woken.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The looper sleeps on, though nothing holds it up.")
@State
public class BarrierAgainstPark {
    private static final int TOKEN = -1;

    private final QueueUnderTest queue;

    public BarrierAgainstPark() {
        this(new QueueUnderTest.Real());
    }

    BarrierAgainstPark(QueueUnderTest queue) {
        this.queue = queue;
        queue.send(Message.barrier(TOKEN, 1));
        queue.send(QueueUnderTest.message(1, 1));
    }

    @Actor
    public void looper(II_Result r) {
        r.r1 = queue.poll(1, true) == null ? 0 : 1;
    }

    @Actor
    public void remover() {
        queue.removeBarrier(TOKEN);
    }

    @Arbiter
    public void afterwards(II_Result r) {
        r.r2 = queue.takeWakeUp() ? 1 : 0;
    }

    /** Seeded: the looper's last look is for messages only. */
    @JCStressTest
    @Outcome(
            id = {"1, 0", "1, 1", "0, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "Taken or woken.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The looper sleeps on, though nothing holds it up.")
    @State
    public static class Seeded {
        private final BarrierAgainstPark test =
                new BarrierAgainstPark(SeededBugQueue.lingering(SeededBugQueue.Fault.FORGETS_A_FALLEN_BARRIER));

        @Actor
        public void looper(II_Result r) {
            test.looper(r);
        }

        @Actor
        public void remover() {
            test.remover();
        }

        @Arbiter
        public void afterwards(II_Result r) {
            test.afterwards(r);
        }
    }
}

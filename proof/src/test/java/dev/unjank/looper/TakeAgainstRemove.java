package dev.unjank.looper;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The looper takes a message while another thread removes it: exactly one of them gets it. */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "Taken.")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Removed.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Taken and removed, or neither.")
@State
public class TakeAgainstRemove {
    private final QueueUnderTest queue;

    public TakeAgainstRemove() {
        this(new QueueUnderTest.Real());
    }

    TakeAgainstRemove(QueueUnderTest queue) {
        this.queue = queue;
        queue.send(QueueUnderTest.message(1, 1));
    }

    @Actor
    public void looper(II_Result r) {
        r.r1 = queue.poll(1, false) == null ? 0 : 1;
    }

    @Actor
    public void remover(II_Result r) {
        r.r2 = queue.remove(QueueUnderTest.code(1)) ? 1 : 0;
    }

    /** Seeded: the looper checks, and then takes. */
    @JCStressTest
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "One of them.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Taken and removed, or neither.")
    @State
    public static class Seeded {
        private final TakeAgainstRemove test =
                new TakeAgainstRemove(SeededBugQueue.lingering(SeededBugQueue.Fault.TAKES_WITHOUT_WINNING));

        @Actor
        public void looper(II_Result r) {
            test.looper(r);
        }

        @Actor
        public void remover(II_Result r) {
            test.remover(r);
        }
    }
}

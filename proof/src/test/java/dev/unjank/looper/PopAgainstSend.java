package dev.unjank.looper;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The looper unlinks a dead top while a message is sent: the message is not unlinked with it. */
@JCStressTest
@Outcome(
        id = {"1, 0", "0, 1"},
        expect = Expect.ACCEPTABLE,
        desc = "Taken at once or later.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Lost.")
@State
public class PopAgainstSend {
    private final QueueUnderTest queue;

    public PopAgainstSend() {
        this(new QueueUnderTest.Real());
    }

    PopAgainstSend(QueueUnderTest queue) {
        this.queue = queue;
        queue.send(QueueUnderTest.message(1, 1));
        queue.poll(1, false);
    }

    @Actor
    public void looper(II_Result r) {
        r.r1 = queue.poll(1, true) == null ? 0 : 1;
    }

    @Actor
    public void sender() {
        queue.send(QueueUnderTest.message(2, 1));
    }

    @Arbiter
    public void afterwards(II_Result r) {
        r.r2 = queue.poll(1, false) == null ? 0 : 1;
    }

    /** Seeded: the looper checks whether the dead message is the top, and then swings the top. */
    @JCStressTest
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "Taken at once or later.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Lost.")
    @State
    public static class Seeded {
        private final PopAgainstSend test =
                new PopAgainstSend(SeededBugQueue.lingering(SeededBugQueue.Fault.POPS_WITHOUT_COMPARING));

        @Actor
        public void looper(II_Result r) {
            test.looper(r);
        }

        @Actor
        public void sender() {
            test.sender();
        }

        @Arbiter
        public void afterwards(II_Result r) {
            test.afterwards(r);
        }
    }
}

package dev.unjank.looper;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two threads send at the same time: both messages arrive. */
@JCStressTest
@Outcome(
        id = {"1, 2", "2, 1"},
        expect = Expect.ACCEPTABLE,
        desc = "Both, in either order.")
@Outcome(expect = Expect.FORBIDDEN, desc = "One is lost.")
@State
public class SendAgainstSend {
    private final QueueUnderTest queue;

    public SendAgainstSend() {
        this(new QueueUnderTest.Real());
    }

    SendAgainstSend(QueueUnderTest queue) {
        this.queue = queue;
    }

    @Actor
    public void one() {
        queue.send(QueueUnderTest.message(1, 1));
    }

    @Actor
    public void other() {
        queue.send(QueueUnderTest.message(2, 1));
    }

    @Arbiter
    public void looper(II_Result r) {
        r.r1 = take();
        r.r2 = take();
    }

    private int take() {
        Message message = queue.poll(1, false);
        return message == null ? 0 : message.what;
    }

    /** Seeded: a sender checks which message is on top, and then puts its own there. */
    @JCStressTest
    @Outcome(
            id = {"1, 2", "2, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "Both, in either order.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "One is lost.")
    @State
    public static class Seeded {
        private final SendAgainstSend test =
                new SendAgainstSend(SeededBugQueue.lingering(SeededBugQueue.Fault.PUSHES_WITHOUT_COMPARING));

        @Actor
        public void one() {
            test.one();
        }

        @Actor
        public void other() {
            test.other();
        }

        @Arbiter
        public void looper(II_Result r) {
            test.looper(r);
        }
    }
}

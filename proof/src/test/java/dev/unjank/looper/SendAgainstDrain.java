package dev.unjank.looper;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The looper drains while a second message is sent: the first, sent before, is never hidden by it. */
@JCStressTest
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "In the order of sending.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The first is hidden for a while, or lost.")
@State
public class SendAgainstDrain {
    private final QueueUnderTest queue;

    public SendAgainstDrain() {
        this(new QueueUnderTest.Real());
    }

    SendAgainstDrain(QueueUnderTest queue) {
        this.queue = queue;
        queue.send(QueueUnderTest.message(1, 1));
    }

    @Actor
    public void sender() {
        queue.send(QueueUnderTest.message(2, 1));
    }

    @Actor
    public void looper(II_Result r) {
        r.r1 = take();
    }

    @Arbiter
    public void afterwards(II_Result r) {
        r.r2 = take();
    }

    private int take() {
        Message message = queue.poll(1, false);
        return message == null ? 0 : message.what;
    }

    /** Seeded: the sender swings the top, and then links. */
    @JCStressTest
    @Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "In the order of sending.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The first is hidden for a while, or lost.")
    @State
    public static class Seeded {
        private final SendAgainstDrain test =
                new SendAgainstDrain(SeededBugQueue.lingering(SeededBugQueue.Fault.SWAPS_BEFORE_LINKING));

        @Actor
        public void sender() {
            test.sender();
        }

        @Actor
        public void looper(II_Result r) {
            test.looper(r);
        }

        @Arbiter
        public void afterwards(II_Result r) {
            test.afterwards(r);
        }
    }
}

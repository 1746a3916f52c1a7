package dev.unjank.looper;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The looper takes messages while an overtaking one is sent: it is taken at once, or it is next when its sending has
 * ended, though the looper knows other messages.
 */
@JCStressTest
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "Next.")
@Outcome(id = "2, 1", expect = Expect.ACCEPTABLE, desc = "At once.")
@Outcome(expect = Expect.FORBIDDEN, desc = "It waits for others that are due later.")
@State
public class OvertakingAgainstTake {
    private static final int NOW = 2;
    private static final int EARLIER = 1;

    private final QueueUnderTest queue;

    public OvertakingAgainstTake() {
        this(new QueueUnderTest.Real());
    }

    OvertakingAgainstTake(QueueUnderTest queue) {
        this.queue = queue;
        for (int i = 0; i < 3; i++) {
            queue.send(QueueUnderTest.message(1, NOW));
        }
    }

    /** In the first of these the looper drains the messages that it then knows. */
    @Actor
    public void looper(II_Result r) {
        r.r1 = take();
    }

    @Actor
    public void sender() {
        queue.send(QueueUnderTest.message(2, EARLIER));
    }

    @Arbiter
    public void afterwards(II_Result r) {
        r.r2 = take();
    }

    private int take() {
        Message message = queue.poll(NOW, false);
        return message == null ? 0 : message.what;
    }

    /** Seeded: a sender that does not know yet that it overtakes does not check again. */
    @JCStressTest
    @Outcome(
            id = {"1, 2", "2, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "Next, or at once.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "It waits for others that are due later.")
    @State
    public static class SeededSender {
        private final OvertakingAgainstTake test =
                new OvertakingAgainstTake(SeededBugQueue.lingering(SeededBugQueue.Fault.DOES_NOT_LOOK_AGAIN));

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

    /** Seeded: the looper does not check for overtaking senders. */
    @JCStressTest
    @Outcome(
            id = {"1, 2", "2, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "Next, or at once.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "It waits for others that are due later.")
    @State
    public static class SeededLooper {
        private final OvertakingAgainstTake test =
                new OvertakingAgainstTake(SeededBugQueue.lingering(SeededBugQueue.Fault.TAKES_WHAT_IS_AT_HAND));

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

package dev.unjank.looper;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Two threads send timers to a sleeping looper, together as many as it may leave undrained: it is woken to drain them.
 */
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Woken.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The looper sleeps while they heap up.")
@State
public class DepthAgainstSend {
    private static final int LATER = 5;

    private final QueueUnderTest queue;

    public DepthAgainstSend() {
        this(new QueueUnderTest.Real());
    }

    DepthAgainstSend(QueueUnderTest queue) {
        this.queue = queue;
        queue.send(QueueUnderTest.message(1, LATER));
        queue.poll(1, true);
    }

    private void sendHalf() {
        for (int i = 0; i < LockFreeQueue.UNDRAINED_BOUND / 2; i++) {
            queue.send(QueueUnderTest.message(2, LATER));
        }
    }

    @Actor
    public void one() {
        sendHalf();
    }

    @Actor
    public void other() {
        sendHalf();
    }

    @Arbiter
    public void afterwards(I_Result r) {
        r.r1 = queue.takeWakeUp() ? 1 : 0;
    }

    /** Seeded: a sender that finds another top than before does not count again. */
    @JCStressTest
    @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Woken.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The looper sleeps while they heap up.")
    @State
    public static class Seeded {
        private final DepthAgainstSend test =
                new DepthAgainstSend(SeededBugQueue.lingering(SeededBugQueue.Fault.COUNTS_FROM_A_STALE_TOP));

        @Actor
        public void one() {
            test.one();
        }

        @Actor
        public void other() {
            test.other();
        }

        @Arbiter
        public void afterwards(I_Result r) {
            test.afterwards(r);
        }
    }
}

package dev.unjank.looper;

import dev.unjank.looper.queue.MessageGenerations;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Two threads remove messages of a sleeping looper, together as many as it tolerates: it is woken to purge them. */
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Woken.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The looper sleeps while tombstones accumulate.")
@State
public class RemovalAgainstRemoval {
    private static final int LATER = 5;

    private final QueueUnderTest.Real queue = new QueueUnderTest.Real();
    private final Message[] messages = new Message[MessageGenerations.TOLERATED];

    public RemovalAgainstRemoval() {
        for (int i = 0; i < messages.length; i++) {
            messages[i] = QueueUnderTest.message(1, LATER);
            queue.send(messages[i]);
        }
        queue.poll(1, true);
    }

    private void cancelFrom(int first) {
        for (int i = first; i < messages.length; i += 2) {
            queue.cancel(messages[i]);
        }
    }

    @Actor
    public void one() {
        cancelFrom(0);
    }

    @Actor
    public void other() {
        cancelFrom(1);
    }

    @Arbiter
    public void afterwards(I_Result r) {
        r.r1 = queue.takeWakeUp() ? 1 : 0;
    }

    /** Seeded: a remover reads the count, and writes one more. */
    @JCStressTest
    @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Woken.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The looper sleeps while tombstones accumulate.")
    @State
    public static class Seeded {
        private volatile int removals;
        private volatile boolean woken;

        @SuppressWarnings("NonAtomicVolatileUpdate") // that is the fault
        private void removeHalf() {
            for (int i = 0; i < MessageGenerations.TOLERATED / 2; i++) {
                if (++removals >= MessageGenerations.TOLERATED) {
                    woken = true;
                }
            }
        }

        @Actor
        public void one() {
            removeHalf();
        }

        @Actor
        public void other() {
            removeHalf();
        }

        @Arbiter
        public void afterwards(I_Result r) {
            r.r1 = woken ? 1 : 0;
        }
    }
}

package dev.unjank.looper;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A thread searches for the oldest message while the looper, going to sleep, unlinks those above it: it is found. */
@JCStressTest
@Outcome(id = "8, 1", expect = Expect.ACCEPTABLE, desc = "Found, as it has been there all the time.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Lost from sight.")
@State
public class TraversalAgainstUnlinking {
    private static final int ABOVE = 8;

    private final QueueUnderTest queue;

    public TraversalAgainstUnlinking() {
        this(new QueueUnderTest.Real());
    }

    TraversalAgainstUnlinking(QueueUnderTest queue) {
        this.queue = queue;
        queue.send(QueueUnderTest.message(1, 5));
        for (int i = 0; i < ABOVE; i++) {
            queue.send(QueueUnderTest.message(2, 1));
        }
        queue.poll(0, false);
    }

    @Actor
    public void looper(II_Result r) {
        while (queue.poll(1, true) != null) {
            r.r1++;
        }
    }

    @Actor
    public void reader(II_Result r) {
        r.r2 = queue.has(QueueUnderTest.code(1)) ? 1 : 0;
    }

    /** Seeded: the looper clears the link of an unlinked message. */
    @JCStressTest
    @Outcome(id = "8, 1", expect = Expect.ACCEPTABLE, desc = "Found, as it has been there all the time.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Lost from sight.")
    @State
    public static class Seeded {
        private final TraversalAgainstUnlinking test =
                new TraversalAgainstUnlinking(SeededBugQueue.lingering(SeededBugQueue.Fault.CUTS_WHAT_IT_UNLINKS));

        @Actor
        public void looper(II_Result r) {
            test.looper(r);
        }

        @Actor
        public void reader(II_Result r) {
            test.reader(r);
        }
    }

    /** Seeded: the looper unlinks one live message. */
    @JCStressTest
    @Outcome(id = "8, 1", expect = Expect.ACCEPTABLE, desc = "Found, as it has been there all the time.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Lost from sight.")
    @State
    public static class SeededSkip {
        private final TraversalAgainstUnlinking test =
                new TraversalAgainstUnlinking(SeededBugQueue.lingering(SeededBugQueue.Fault.UNLINKS_THE_LIVING));

        @Actor
        public void looper(II_Result r) {
            test.looper(r);
        }

        @Actor
        public void reader(II_Result r) {
            test.reader(r);
        }
    }
}

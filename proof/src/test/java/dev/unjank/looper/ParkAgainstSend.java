package dev.unjank.looper;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The looper goes to sleep while a message is sent: it finds the message, or it is woken. */
@JCStressTest
@Outcome(
        id = {"1, 0", "1, 1"},
        expect = Expect.ACCEPTABLE,
        desc = "Found, woken or not.")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Asleep and woken.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The looper sleeps on a message that is due.")
@State
public class ParkAgainstSend {
    private final QueueUnderTest queue;

    public ParkAgainstSend() {
        this(new QueueUnderTest.Real());
    }

    ParkAgainstSend(QueueUnderTest queue) {
        this.queue = queue;
    }

    @Actor
    public void looper(II_Result r) {
        r.r1 = queue.poll(1, true) == null ? 0 : 1;
    }

    @Actor
    public void sender() {
        queue.send(QueueUnderTest.message(1, 1));
    }

    @Arbiter
    public void afterwards(II_Result r) {
        r.r2 = queue.takeWakeUp() ? 1 : 0;
    }

    /** Seeded: the looper looks once more, and then announces that it sleeps. */
    @JCStressTest
    @Outcome(
            id = {"1, 0", "1, 1", "0, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "Found or woken.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The looper sleeps on a message that is due.")
    @State
    public static class SeededOrder {
        private final ParkAgainstSend test =
                new ParkAgainstSend(SeededBugQueue.lingering(SeededBugQueue.Fault.LOOKS_BEFORE_PARKING));

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

    /** Seeded: the looper announces that it sleeps, but the announcement may come after its last look. */
    @JCStressTest
    @Outcome(
            id = {"1, 0", "1, 1", "0, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "Found or woken.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The looper sleeps on a message that is due.")
    @State
    public static class SeededMode {
        private final ParkAgainstSend test =
                new ParkAgainstSend(new SeededBugQueue(SeededBugQueue.Fault.PARKS_BY_RELEASE));

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

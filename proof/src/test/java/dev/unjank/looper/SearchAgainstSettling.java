package dev.unjank.looper;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A thread searches for two messages by code while they settle: they are found, by walking or in the index. */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Found, as they have been there all the time.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Lost from sight.")
@State
public class SearchAgainstSettling {
    private static final int LATER = 5;

    private final QueueUnderTest queue;

    public SearchAgainstSettling() {
        this(new QueueUnderTest.Real());
        FarTimers.settle(queue, FarTimers.ALMOST_ENOUGH);
        sendTwo();
    }

    SearchAgainstSettling(QueueUnderTest queue) {
        this.queue = queue;
    }

    private void sendTwo() {
        queue.send(QueueUnderTest.message(1, LATER));
        queue.send(QueueUnderTest.message(2, LATER));
    }

    @Actor
    public void looper() {
        queue.poll(1, true);
    }

    @Actor
    public void reader(II_Result r) {
        r.r1 = queue.has(QueueUnderTest.code(1)) ? 1 : 0;
        r.r2 = queue.has(QueueUnderTest.code(2)) ? 1 : 0;
    }

    /** Seeded: the looper marks them as settled, and then enters them. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Found, as they have been there all the time.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Lost from sight.")
    @State
    public static class Seeded {
        private final SearchAgainstSettling test =
                new SearchAgainstSettling(SeededBugQueue.lingering(SeededBugQueue.Fault.SETTLES_BEFORE_INDEXING));

        public Seeded() {
            test.sendTwo();
        }

        @Actor
        public void looper() {
            test.looper();
        }

        @Actor
        public void reader(II_Result r) {
            test.reader(r);
        }
    }
}

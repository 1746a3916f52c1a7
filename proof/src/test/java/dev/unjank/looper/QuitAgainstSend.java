package dev.unjank.looper;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * One thread sends while another quits: the message is refused, or it was in the queue and has been dropped from it.
 */
@JCStressTest
@Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "Accepted and dropped.")
@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "Refused.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Still there after quit, or its payload is.")
@State
public class QuitAgainstSend {
    private final QueueUnderTest queue;
    private final Message message = QueueUnderTest.message(1, 1);

    public QuitAgainstSend() {
        this(new QueueUnderTest.Real());
    }

    QuitAgainstSend(QueueUnderTest queue) {
        this.queue = queue;
    }

    @Actor
    public void sender(III_Result r) {
        r.r1 = queue.send(message) ? 1 : 0;
    }

    @Actor
    public void quitter() {
        queue.quit(false);
    }

    @Arbiter
    public void afterwards(III_Result r) {
        r.r2 = message.what;
        r.r3 = queue.poll(1, false) == null ? 0 : 1;
    }

    /** Seeded: a sender checks whether the queue has been quit, and then sends. */
    @JCStressTest
    @Outcome(
            id = {"1, 0, 0", "0, 0, 0"},
            expect = Expect.ACCEPTABLE,
            desc = "Dropped or refused.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Still there after quit, or its payload is.")
    @State
    public static class Seeded {
        private final QuitAgainstSend test =
                new QuitAgainstSend(SeededBugQueue.lingering(SeededBugQueue.Fault.LOOKS_FOR_QUIT_BEFORE_PUSHING));

        @Actor
        public void sender(III_Result r) {
            test.sender(r);
        }

        @Actor
        public void quitter() {
            test.quitter();
        }

        @Arbiter
        public void afterwards(III_Result r) {
            test.afterwards(r);
        }
    }
}

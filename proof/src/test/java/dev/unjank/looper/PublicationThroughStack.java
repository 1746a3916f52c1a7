package dev.unjank.looper;

import dev.unjank.looper.util.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** The looper takes a message while it is sent: if it gets it, it sees all writes of the sender. */
@JCStressTest
@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "Not sent yet.")
@Outcome(id = "1, 2, 3", expect = Expect.ACCEPTABLE, desc = "The message as sent.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A message in the making.")
@State
public class PublicationThroughStack {
    private final QueueUnderTest queue = new QueueUnderTest.Real();

    @Actor
    public void sender() {
        Message message = Message.obtain(null, 1, 2, 0, new Payload(3));
        message.claim(null, false, 1);
        queue.send(message);
    }

    @Actor
    public void looper(III_Result r) {
        read(queue.poll(1, false), r);
    }

    private static void read(@Nullable Message message, III_Result r) {
        if (message != null) {
            r.r1 = message.what;
            r.r2 = message.arg1;
            r.r3 = message.obj == null ? 0 : ((Payload) message.obj).value;
        }
    }

    private static final class Payload {
        // not final: the stack must publish it, not the constructor
        private int value;

        Payload(int value) {
            this.value = value;
        }
    }

    /** Seeded: the sender sends, and then writes. */
    @JCStressTest
    @Outcome(
            id = {"0, 0, 0", "1, 2, 3"},
            expect = Expect.ACCEPTABLE,
            desc = "Not sent yet, or as sent.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A message in the making.")
    @State
    public static class Seeded {
        private static final int LINGER = 20;

        private final QueueUnderTest queue = new QueueUnderTest.Real();

        @Actor
        public void sender() {
            Message message = QueueUnderTest.message(1, 1);
            queue.send(message);
            for (int i = 0; i < LINGER; i++) {
                Thread.onSpinWait();
            }
            message.arg1 = 2;
            message.obj = new Payload(3);
        }

        @Actor
        public void looper(III_Result r) {
            read(queue.poll(1, false), r);
        }
    }
}

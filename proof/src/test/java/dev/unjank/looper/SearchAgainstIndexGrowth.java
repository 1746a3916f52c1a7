package dev.unjank.looper;

import static dev.unjank.looper.queue.NodeState.setQueuedPlain;

import dev.unjank.looper.queue.KeyIndex;
import java.util.function.Predicate;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A thread searches the index for a message while the looper enters others under the same key, for which the slot
 * becomes a bucket, and the bucket grows: the message is found.
 */
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Found, as it has been there all the time.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Lost from sight.")
@State
public class SearchAgainstIndexGrowth {
    private static final int OTHERS = 9;
    private static final int CODE = 1;
    private static final int LINGER = 20;

    private final KeyIndex index = new KeyIndex(1);
    private final Message first = queued();
    private final Message[] others = new Message[OTHERS];

    public SearchAgainstIndexGrowth() {
        MessageKeys.enter(first, index);
        for (int i = 0; i < OTHERS; i++) {
            others[i] = queued();
        }
    }

    private static Message queued() {
        Message message = QueueUnderTest.message(CODE, 1);
        setQueuedPlain(message, 0);
        return message;
    }

    @Actor
    public void looper() {
        for (Message other : others) {
            MessageKeys.enter(other, index);
        }
    }

    @Actor
    @SuppressWarnings("ReferenceEquality") // nodes are compared by identity
    public void reader(I_Result r) {
        KeyIndex.Found found = index.search(MessageKeys.ofCode(QueueUnderTest.HANDLER, CODE), false, m -> m == first);
        r.r1 = found == KeyIndex.Found.STOPPED ? 1 : 0;
    }

    /** Seeded: a bucket is put in the place of a message, and then the message into the bucket. */
    @JCStressTest
    @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Found, as it has been there all the time.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Lost from sight.")
    @State
    public static class Seeded {
        private final Message first = queued();
        private volatile Object slot = first;

        @Actor
        public void looper() {
            Message[] bucket = new Message[2];
            slot = bucket;
            for (int i = 0; i < LINGER; i++) {
                Thread.onSpinWait();
            }
            bucket[1] = queued();
            bucket[0] = first;
        }

        @Actor
        public void reader(I_Result r) {
            Predicate<Object> isFirst = m -> m == first;
            Object there = slot;
            boolean found = there instanceof Message[] bucket ? isFirst.test(bucket[0]) : isFirst.test(there);
            r.r1 = found ? 1 : 0;
        }
    }
}

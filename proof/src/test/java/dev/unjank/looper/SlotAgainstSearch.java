package dev.unjank.looper;

import static dev.unjank.looper.queue.NodeState.setQueuedPlain;

import dev.unjank.looper.queue.KeyIndex;
import dev.unjank.looper.util.Nullable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A thread searches the index twice while the looper enters a message: a message that was found once is found again.
 */
@JCStressTest
@Outcome(
        id = {"0, 0", "0, 1", "1, 1"},
        expect = Expect.ACCEPTABLE,
        desc = "Not entered yet, or found from then on.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Found, and then not.")
@State
public class SlotAgainstSearch {
    private static final int CODE = 1;

    private final KeyIndex index = new KeyIndex(1);
    private final Message message = QueueUnderTest.message(CODE, 1);

    public SlotAgainstSearch() {
        setQueuedPlain(message, 0);
    }

    @Actor
    public void looper() {
        MessageKeys.enter(message, index);
    }

    @Actor
    public void reader(II_Result r) {
        r.r1 = isFound() ? 1 : 0;
        r.r2 = isFound() ? 1 : 0;
    }

    @SuppressWarnings("ReferenceEquality") // nodes are compared by identity
    private boolean isFound() {
        return index.search(MessageKeys.ofCode(QueueUnderTest.HANDLER, CODE), false, m -> m == message)
                == KeyIndex.Found.STOPPED;
    }

    /** A slot and its key in isolation, written as the index writes them. */
    static class Slot {
        private static final int LINGER = 200;
        private static final VarHandle SLOT;

        static {
            try {
                SLOT = MethodHandles.lookup().findVarHandle(Slot.class, "slot", Object.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private int key;
        private @Nullable Object slot;
        private int noise;

        final void enter() {
            key = CODE;
            SLOT.setRelease(this, this);
        }

        /** True if the slot is taken and lacks its key, though that is read again after the slot. */
        final boolean lacksKeyByAcquire() {
            if (key == CODE) {
                return false;
            }
            int mixed = noise;
            for (int i = 0; i < LINGER; i++) {
                mixed = mixed * 31 + i;
            }
            noise = mixed;
            return SLOT.getAcquire(this) != null && key != CODE;
        }

        /** Spins without a call or a barrier, after which any compiler would read the key again. */
        final boolean lacksKeyByPlain() {
            if (key == CODE) {
                return false;
            }
            int mixed = noise;
            for (int i = 0; i < LINGER; i++) {
                mixed = mixed * 31 + i;
            }
            noise = mixed;
            return slot != null && key != CODE;
        }
    }

    /** As in the index: a thread that finds the slot taken finds its key, though it was not there before. */
    @JCStressTest
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "Free, or with its key.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Taken, without its key.")
    @State
    public static class ByAcquire extends Slot {
        @Actor
        public void looper() {
            enter();
        }

        @Actor
        public void reader(I_Result r) {
            r.r1 = lacksKeyByAcquire() ? 1 : 0;
        }
    }

    /** Seeded: the slot is read plainly, so the compiler need not read the key again. */
    @JCStressTest
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "Free, or with its key.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Taken, without its key.")
    @State
    public static class SeededMode extends Slot {
        @Actor
        public void looper() {
            enter();
        }

        @Actor
        public void reader(I_Result r) {
            r.r1 = lacksKeyByPlain() ? 1 : 0;
        }
    }
}

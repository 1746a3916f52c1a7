package dev.unjank.looper;

import org.jetbrains.lincheck.datastructures.BooleanGen;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * Sending at different times, removing, taking, sleeping and quitting, for the model checker to interleave. What only
 * the looper may do is in one group, of which no two operations run at the same time.
 *
 * <p>A looper that goes to sleep stays asleep to the end of the scenario unless it takes again. Then whatever should
 * have woken it must have done so.
 */
public abstract class OrderModel {
    private static final long AWAKE = 0;

    private final QueueUnderProof queue;

    /** The time at which the looper went to sleep, and until when. */
    private long asleepSince = AWAKE;

    private long asleepUntil;

    OrderModel(QueueUnderProof queue) {
        this.queue = queue;
    }

    @Operation
    public boolean send(@Param(gen = Codes.New.class) int what, @Param(gen = IntGen.class, conf = "1:3") int when) {
        return queue.send(QueueUnderProof.message(what, when));
    }

    @Operation
    public boolean sendToFront(@Param(gen = Codes.New.class) int what) {
        return queue.send(QueueUnderProof.message(what, 0));
    }

    @Operation
    public boolean remove(@Param(gen = Codes.Recent.class) int what) {
        return queue.remove(what);
    }

    @Operation
    public void quit(@Param(gen = BooleanGen.class) boolean safely) {
        queue.quit(safely);
    }

    @Operation(nonParallelGroup = "looper")
    public int take(@Param(gen = IntGen.class, conf = "1:3") int now) {
        return poll(now, false);
    }

    @Operation(nonParallelGroup = "looper")
    public int takeOrSleep(@Param(gen = IntGen.class, conf = "1:3") int now) {
        return poll(now, true);
    }

    /** For scenarios written by hand. Not an operation: beside messages that overtake, asking is not linearizable. */
    public boolean has(int what) {
        return queue.has(what);
    }

    /** For scenarios written by hand. Not an operation: asking for any of several messages is not linearizable. */
    public boolean isIdle(int now) {
        return queue.isIdleAt(now);
    }

    private int poll(int now, boolean arm) {
        asleepSince = AWAKE;
        queue.takeWakeUp();
        Message message = queue.poll(now, arm);
        if (message != null) {
            return message.what;
        }
        if (queue.ended()) {
            return SequentialQueue.ENDED;
        }
        if (arm) {
            asleepSince = now;
            asleepUntil = queue.deadline();
        }
        return SequentialQueue.NOTHING;
    }

    @Validate
    public void noWakeUpIsLost() {
        if (asleepSince == AWAKE || queue.takeWakeUp()) {
            return;
        }
        if (queue.poll(asleepSince, false) != null || queue.ended() || queue.deadline() < asleepUntil) {
            throw new AssertionError("the looper sleeps on");
        }
    }

    /** The queue itself. */
    public static final class OfTheRealQueue extends OrderModel {
        public OfTheRealQueue() {
            super(new QueueUnderProof.Real());
        }
    }

    public static final class WithoutFault extends OrderModel {
        public WithoutFault() {
            super(new BareQueue(BareQueue.Fault.NONE));
        }
    }

    public static final class TakesWithoutWinning extends OrderModel {
        public TakesWithoutWinning() {
            super(new BareQueue(BareQueue.Fault.TAKES_WITHOUT_WINNING));
        }
    }

    public static final class PushesWithoutComparing extends OrderModel {
        public PushesWithoutComparing() {
            super(new BareQueue(BareQueue.Fault.PUSHES_WITHOUT_COMPARING));
        }
    }

    public static final class SwapsBeforeLinking extends OrderModel {
        public SwapsBeforeLinking() {
            super(new BareQueue(BareQueue.Fault.SWAPS_BEFORE_LINKING));
        }
    }

    public static final class LooksForQuitBeforePushing extends OrderModel {
        public LooksForQuitBeforePushing() {
            super(new BareQueue(BareQueue.Fault.LOOKS_FOR_QUIT_BEFORE_PUSHING));
        }
    }

    public static final class LooksBeforeParking extends OrderModel {
        public LooksBeforeParking() {
            super(new BareQueue(BareQueue.Fault.LOOKS_BEFORE_PARKING));
        }
    }

    public static final class CutsWhatItUnlinks extends OrderModel {
        public CutsWhatItUnlinks() {
            super(new BareQueue(BareQueue.Fault.CUTS_WHAT_IT_UNLINKS));
        }
    }

    public static final class TrustsAStaleView extends OrderModel {
        public TrustsAStaleView() {
            super(new BareQueue(BareQueue.Fault.TRUSTS_A_STALE_VIEW));
        }
    }

    public static final class RunsOnAfterQuit extends OrderModel {
        public RunsOnAfterQuit() {
            super(new BareQueue(BareQueue.Fault.RUNS_ON_AFTER_QUIT));
        }
    }

    public static final class EndsTooEarly extends OrderModel {
        public EndsTooEarly() {
            super(new BareQueue(BareQueue.Fault.ENDS_TOO_EARLY));
        }
    }
}

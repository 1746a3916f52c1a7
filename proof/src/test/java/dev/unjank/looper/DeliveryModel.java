package dev.unjank.looper;

import java.util.Arrays;
import org.jetbrains.lincheck.datastructures.BooleanGen;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * Sending in every way, removing, barriers, taking, sleeping and quitting, for the model checker to interleave.
 * Operations of the looper only are in one group: no two of them run at the same time.
 *
 * <p>A sleeping looper stays asleep to the end of the scenario unless it takes again. By then every operation that must
 * wake it must have done so.
 *
 * <p>Methods that are not operations are for scenarios written by hand.
 */
public abstract class DeliveryModel {
    private static final long AWAKE = 0;

    private static final Coded[] CODED = Arrays.stream(new Coded[MessageHandles.CODES])
            .map(none -> new Coded())
            .toArray(Coded[]::new);

    private final QueueUnderTest queue;

    private final MessageHandles handles = new MessageHandles();

    /** The time at which the looper went to sleep, and until when. */
    private long asleepSince = AWAKE;

    private long asleepUntil;

    DeliveryModel(QueueUnderTest queue) {
        this.queue = queue;
    }

    /** The token of a message, or its Runnable. */
    private static final class Coded implements Runnable {
        @Override
        public void run() {
            throw new AssertionError("nothing runs in a proof");
        }
    }

    private static Coded coded(int what) {
        return CODED[what % MessageHandles.CODES];
    }

    // ---- sending

    @Operation
    public boolean send(
            @Param(gen = MessageCodes.New.class) int what, @Param(gen = IntGen.class, conf = "1:3") int when) {
        return send(what, Message.obtain(null, what), when * QueueUnderTest.MILLI);
    }

    @Operation
    public boolean sendHalfPast(
            @Param(gen = MessageCodes.New.class) int what, @Param(gen = IntGen.class, conf = "1:2") int when) {
        return send(what, Message.obtain(null, what), when * QueueUnderTest.MILLI + QueueUnderTest.MILLI / 2);
    }

    @Operation
    public boolean sendAsynchronous(
            @Param(gen = MessageCodes.New.class) int what, @Param(gen = IntGen.class, conf = "1:3") int when) {
        Message message = Message.obtain(null, what);
        message.setAsynchronous(true);
        return send(what, message, when * QueueUnderTest.MILLI);
    }

    @Operation
    public boolean sendToFront(@Param(gen = MessageCodes.New.class) int what) {
        return send(what, Message.obtain(null, what), 0);
    }

    /** A Runnable without a code. */
    @Operation
    public boolean post(
            @Param(gen = MessageCodes.New.class) int what, @Param(gen = IntGen.class, conf = "1:3") int when) {
        return send(what, Message.obtain(null, coded(what)), when * QueueUnderTest.MILLI);
    }

    private boolean send(int what, Message message, long nanos) {
        message.obj = coded(what);
        message.claimForNanos(QueueUnderTest.HANDLER, false, nanos);
        handles.put(what, message);
        return queue.send(message);
    }

    /** Its token is negative, and none of those that the queue gives. */
    @Operation
    public boolean postBarrier(
            @Param(gen = MessageCodes.New.class) int token, @Param(gen = IntGen.class, conf = "1:3") int when) {
        return queue.send(Message.barrier(-token, when));
    }

    public int postSyncBarrier() {
        return queue.postSyncBarrier();
    }

    /** Settles as many timers as make the queue index its settled messages; a bare queue indexes all of them. */
    public void settleMany(int count) {
        if (queue instanceof QueueUnderTest.Real) {
            FarTimers.settle(queue, count);
        }
    }

    // ---- removing and searching

    @Operation
    public boolean remove(@Param(gen = MessageCodes.Recent.class) int what) {
        return queue.remove(QueueUnderTest.code(what));
    }

    @Operation
    public boolean removeRunnable(@Param(gen = MessageCodes.Recent.class) int what) {
        return queue.remove(MessageMatcher.callback(QueueUnderTest.HANDLER, coded(what), null));
    }

    @Operation
    public boolean removeByToken(@Param(gen = MessageCodes.Recent.class) int what) {
        return queue.remove(MessageMatcher.token(QueueUnderTest.HANDLER, coded(what)));
    }

    @Operation
    public boolean removeBarrier(@Param(gen = MessageCodes.Recent.class) int token) {
        return queue.removeBarrier(-token);
    }

    public void removeSyncBarrier(int token) {
        if (!queue.removeBarrier(token)) {
            throw new IllegalStateException();
        }
    }

    public boolean cancel(int what) {
        Message message = handles.get(what);
        return message != null && queue.cancel(message);
    }

    public boolean removeAll() {
        return queue.remove(MessageMatcher.token(QueueUnderTest.HANDLER, null));
    }

    public boolean has(int what) {
        return queue.has(QueueUnderTest.code(what));
    }

    public boolean hasRunnable(int what) {
        return queue.has(MessageMatcher.callback(QueueUnderTest.HANDLER, coded(what), null));
    }

    public boolean isIdle(int now) {
        return queue.isIdleAt(now);
    }

    public int depth() {
        return queue.depth();
    }

    // ---- the looper

    @Operation(nonParallelGroup = "looper")
    public int take(@Param(gen = IntGen.class, conf = "1:3") int now) {
        return poll(now, false);
    }

    @Operation(nonParallelGroup = "looper")
    public int takeOrSleep(@Param(gen = IntGen.class, conf = "1:3") int now) {
        return poll(now, true);
    }

    private int poll(int now, boolean arm) {
        asleepSince = AWAKE;
        queue.takeWakeUp();
        Message message = queue.poll(now, arm);
        if (message != null) {
            return handles.codeOf(message);
        }
        if (queue.ended()) {
            return SequentialSpecification.ENDED;
        }
        if (arm) {
            asleepSince = now;
            asleepUntil = queue.deadline();
        }
        return SequentialSpecification.NOTHING;
    }

    public boolean isAwake() {
        return asleepSince == AWAKE || queue.isWoken();
    }

    @Validate
    public void noWakeUpIsLost() {
        if (asleepSince == AWAKE || queue.takeWakeUp()) {
            return;
        }
        if (queue.poll(asleepSince, false) != null || queue.ended() || queue.deadline() < asleepUntil) {
            throw new AssertionError("the looper was not woken");
        }
    }

    // ---- quitting

    @Operation
    public void quit(@Param(gen = BooleanGen.class) boolean safely) {
        queue.quit(safely);
    }

    @Operation
    public boolean isQuitting() {
        return queue.isQuitting();
    }

    /** The queue itself. */
    public static final class OfTheRealQueue extends DeliveryModel {
        public OfTheRealQueue() {
            super(new QueueUnderTest.Real());
        }
    }
}

package dev.unjank.looper;

import org.jetbrains.lincheck.datastructures.BooleanGen;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/**
 * Searching for a message, beside sending, removing, taking and quitting; all messages are due at the same time. The
 * looper also goes to sleep, and so settles its messages; settled messages are found by key.
 */
public class SearchModel {
    private final QueueUnderTest.Real queue = new QueueUnderTest.Real();

    public SearchModel() {
        FarTimers.settle(queue, FarTimers.ALMOST_ENOUGH);
    }

    @Operation
    public boolean sendDue(@Param(gen = MessageCodes.New.class) int what) {
        return queue.send(QueueUnderTest.message(what, 1));
    }

    @Operation
    public boolean remove(@Param(gen = MessageCodes.Recent.class) int what) {
        return queue.remove(QueueUnderTest.code(what));
    }

    @Operation
    public boolean has(@Param(gen = MessageCodes.Recent.class) int what) {
        return queue.has(QueueUnderTest.code(what));
    }

    @Operation
    public void quit(@Param(gen = BooleanGen.class) boolean safely) {
        queue.quit(safely);
    }

    @Operation(nonParallelGroup = "looper")
    public int take(@Param(gen = IntGen.class, conf = "1:1") int now) {
        Message message = queue.poll(now, false);
        if (message == null) {
            return queue.ended() ? SequentialSpecification.ENDED : SequentialSpecification.NOTHING;
        }
        return message.what;
    }

    /** Takes no message. Before their time, so that there are messages to settle. */
    @Operation(nonParallelGroup = "looper")
    public void settle() {
        queue.poll(0, true);
    }
}

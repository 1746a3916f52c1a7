package dev.unjank.looper;

import org.jetbrains.lincheck.datastructures.BooleanGen;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** Asking for a message, beside sending, removing, taking and quitting; all messages are due at the same time. */
public class AskModel {
    private final LockFreeQueue queue = new QueueUnderProof.Real().queue;

    @Operation
    public boolean sendDue(@Param(gen = Codes.New.class) int what) {
        return queue.enqueue(QueueUnderProof.message(what, 1));
    }

    @Operation
    public boolean remove(@Param(gen = Codes.Recent.class) int what) {
        return queue.remove(new QueueUnderProof.HasCode(what));
    }

    @Operation
    public boolean has(@Param(gen = Codes.Recent.class) int what) {
        return queue.has(new QueueUnderProof.HasCode(what));
    }

    @Operation
    public void quit(@Param(gen = BooleanGen.class) boolean safely) {
        queue.quit(safely);
    }

    @Operation(nonParallelGroup = "looper")
    public int take(@Param(gen = IntGen.class, conf = "1:1") int now) {
        Message message = queue.poll(now * QueueUnderProof.MILLI, false);
        if (message == null) {
            return queue.ended ? SequentialQueue.ENDED : SequentialQueue.NOTHING;
        }
        return message.what;
    }
}

package dev.unjank.workbench.soak;

import dev.unjank.looper.Handler;
import dev.unjank.looper.Looper;
import dev.unjank.looper.LooperOptions;
import dev.unjank.looper.Message;
import dev.unjank.looper.QueueKind;
import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.spi.Waker;
import org.jspecify.annotations.Nullable;

/** The operations of rounds on a looper. A test of the soak overrides one of them with a fault. */
class LooperOperations {
    /** The last step of sending at a time, below the recording handler. */
    interface Send {
        boolean at(Message message, long when);
    }

    /** The options of a loop that a thread runs. */
    LooperOptions options(QueueKind kind) {
        return LooperOptions.defaults().withQueue(kind);
    }

    /** The options of a manually driven loop. */
    LooperOptions options(QueueKind kind, Clock clock, Waker waker) {
        return LooperOptions.defaults().withQueue(kind).withClock(clock).withWaker(() -> waker);
    }

    boolean send(Send rightly, Message message, long when) {
        return rightly.at(message, when);
    }

    void deliver(Runnable rightly) {
        rightly.run();
    }

    void removeMessages(Handler handler, int what, @Nullable Object token) {
        handler.removeMessages(what, token);
    }

    void removeCallbacks(Handler handler, Runnable callback, @Nullable Object token) {
        handler.removeCallbacks(callback, token);
    }

    void removeCallbacksAndMessages(Handler handler, @Nullable Object token) {
        handler.removeCallbacksAndMessages(token);
    }

    boolean cancel(Message message) {
        return message.cancel();
    }

    boolean has(Handler handler, int what, @Nullable Object token) {
        return handler.hasMessages(what, token);
    }

    int postBarrier(Looper looper) {
        return looper.getQueue().postSyncBarrier();
    }

    void removeBarrier(Looper looper, int token) {
        looper.getQueue().removeSyncBarrier(token);
    }

    void quit(Looper looper, boolean safely) {
        if (safely) {
            looper.quitSafely();
        } else {
            looper.quit();
        }
    }
}

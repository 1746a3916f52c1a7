package dev.unjank.bench.queue;

import dev.unjank.looper.Handler;
import dev.unjank.looper.HandlerThread;
import dev.unjank.looper.LooperOptions;
import dev.unjank.looper.QueueKind;
import java.util.Objects;

/** This project's looper over one of its queues. */
final class LooperLoop implements Loop {

    private final HandlerThread thread;
    private final Handler handler;

    LooperLoop(QueueKind queue) {
        thread = new HandlerThread("looper", LooperOptions.defaults().withQueue(queue));
        thread.setDaemon(true);
        thread.start();
        handler = new Handler(Objects.requireNonNull(thread.getLooper(), "a thread just started has a looper"));
    }

    @Override
    public void post(Runnable task) {
        handler.post(task);
    }

    @Override
    public Object postDelayed(Runnable task, long delayMillis) {
        Object token = new Object();
        handler.postDelayed(task, token, delayMillis);
        return token;
    }

    @Override
    public void cancel(Object delayed) {
        handler.removeCallbacksAndMessages(delayed);
    }

    @Override
    public void close() {
        thread.quit();
    }
}

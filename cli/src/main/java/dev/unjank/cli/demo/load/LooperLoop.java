package dev.unjank.cli.demo.load;

import dev.unjank.looper.FrameClock;
import dev.unjank.looper.Handler;
import dev.unjank.looper.HandlerThread;
import dev.unjank.looper.LooperOptions;
import dev.unjank.looper.Message;
import dev.unjank.looper.QueueKind;
import dev.unjank.looper.spi.Clock;
import java.time.Duration;
import java.util.Objects;

/** A loop of module {@code looper}. */
public final class LooperLoop implements MessageLoop {

    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final HandlerThread thread;
    private final Handler handler;

    /** Starts the loop on a new thread. */
    public LooperLoop(QueueKind queue) {
        thread = new HandlerThread("looper", LooperOptions.defaults().withQueue(queue));
        thread.setDaemon(true);
        thread.start();
        handler = new Handler(Objects.requireNonNull(thread.getLooper(), "a thread just started has a looper"));
    }

    @Override
    public void post(Runnable task) {
        handler.post(task);
    }

    /** A message is its own handle. */
    @Override
    public Object postDelayed(Runnable task, long delayMillis) {
        Message message = Message.obtain(handler, task);
        handler.sendMessageDelayed(message, delayMillis);
        return message;
    }

    @Override
    public void postAt(Runnable task, long nanoTime) {
        long offset = Clock.system().nanos() - System.nanoTime(); // 0, or a difference that is irrelevant here
        long rounded = Math.round((double) offset / NANOS_PER_MILLI) * NANOS_PER_MILLI;
        handler.postAtTime(task, (nanoTime + rounded) / NANOS_PER_MILLI);
    }

    @Override
    public FrameClock frames(Duration period, long nanoTime) {
        return new FrameClock(
                handler.getLooper(), period, nanoTime + Clock.system().nanos() - System.nanoTime());
    }

    @Override
    public void cancel(Object delayed) {
        ((Message) delayed).cancel();
    }

    @Override
    public Object sendDelayed(int number, long delayMillis) {
        handler.sendEmptyMessageDelayed(number, delayMillis);
        return handler;
    }

    @Override
    public void remove(int number, Object sent) {
        handler.removeMessages(number);
    }

    @Override
    public Thread thread() {
        return thread;
    }

    @Override
    public void close() {
        thread.quit();
        ThreadJoin.join(thread);
    }
}

package dev.unjank.record.jvm;

import dev.unjank.looper.FrameClock;
import dev.unjank.looper.Handler;
import dev.unjank.looper.HandlerThread;
import dev.unjank.looper.Message;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** The scenes of {@link JvmTargetProgram} in which a looper has more to do than it can in time. */
final class LooperScenes {
    /**
     * From frame to frame in the scene with frames: long, so that none but the one that waits is late but for a busy
     * machine.
     */
    static final Duration FRAME = Duration.ofMillis(50);

    static final int MESSAGES = 20;
    static final int MESSAGE_MS = 10;

    private LooperScenes() {}

    /** A looper draws frame after frame, and waits for a worker in one of them. */
    static void frames() throws InterruptedException {
        Object lock = new Object();
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch drawn = new CountDownLatch(1);
        HandlerThread drawer = new HandlerThread("drawer");
        drawer.start();
        Thread painter = drawer.getLooper().getThread();
        Thread worker =
                JvmTargetProgram.thread("paint worker", () -> JvmTargetProgram.holdUntilBlocked(lock, held, painter));
        FrameClock clock = new FrameClock(drawer.getLooper(), FRAME);
        clock.postFrameCallback(new FrameClock.FrameCallback() {
            private int count;

            @Override
            public void doFrame(long frameTimeNanos) {
                count++;
                if (count < 6) {
                    clock.postFrameCallback(this);
                } else {
                    drawn.countDown();
                }
                if (count == 3) {
                    worker.start();
                    JvmTargetProgram.unchecked(held::await);
                    JvmTargetProgram.enter(lock);
                }
            }
        });
        drawn.await();
        worker.join();
        drawer.quitSafely();
        drawer.join();
    }

    /** A looper gets more messages than it can handle in time. */
    static void flood() throws InterruptedException {
        HandlerThread clerk = new HandlerThread("clerk");
        clerk.start();
        Handler handler = new Handler(clerk.getLooper()) {
            @Override
            public void handleMessage(Message message) {
                JvmTargetProgram.unchecked(() -> Thread.sleep(MESSAGE_MS));
            }
        };
        Thread sender = JvmTargetProgram.thread("flooder", () -> {
            for (int i = 0; i < MESSAGES; i++) {
                handler.sendEmptyMessage(i);
            }
        });
        JvmTargetProgram.run(sender);
        clerk.quitSafely();
        clerk.join();
    }
}

package dev.unjank.workbench.lab.launcher;

import dev.unjank.cli.demo.load.Niceness;
import dev.unjank.looper.FrameClock;
import dev.unjank.looper.Handler;
import dev.unjank.looper.HandlerThread;
import dev.unjank.looper.Looper;
import dev.unjank.looper.LooperOptions;
import dev.unjank.looper.QueueKind;
import dev.unjank.looper.spi.Clock;
import dev.unjank.workbench.lab.load.CameraLoad;
import dev.unjank.workbench.lab.load.SchedulingPrivilege;
import dev.unjank.workbench.lab.program.DurationSamples;
import dev.unjank.workbench.lab.program.FixedWork;
import dev.unjank.workbench.lab.program.FrameLoop;
import dev.unjank.workbench.lab.program.RequestServer;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The recorded program: a UI thread with one kind of queue, executors that post to it, and a camera load.
 *
 * <p>It serves the requests {@code frames SECONDS}, which runs the UI thread, and {@code starts N}, each of which
 * measures a new UI thread from its start message to its first frame.
 */
final class LauncherProgram {
    static final String UI = "ui";

    private static final int EXECUTORS = 4;
    private static final int TIMEOUTS_OF_UI = 12;
    private static final long FRAME_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int STEPS_OF_START = 40;
    private static final long STEP_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final int MOST_SECONDS = 60;

    private final LooperOptions options;
    private final NiceValues tier;
    private final List<BackgroundExecutor> executors;
    private final List<CameraLoad> cameras;

    private LauncherProgram(QueueKind queue, NiceValues tier) {
        this.options = LooperOptions.defaults().withQueue(queue);
        this.tier = tier;
        executors = IntStream.range(0, EXECUTORS)
                .mapToObj(i -> new BackgroundExecutor(i, tier.executor()))
                .toList();
        cameras = CameraLoad.several(Runtime.getRuntime().availableProcessors(), tier.camera());
    }

    /**
     * Serves requests.
     *
     * @param args the kind of queue, and whether the UI thread uses a real-time policy
     */
    public static void main(String[] args) throws IOException {
        QueueKind queue = QueueKind.valueOf(args[0]);
        NiceValues tier = NiceValues.here(Boolean.parseBoolean(args[1]));
        RequestServer.serve((what, amount) -> new LauncherProgram(queue, tier).perform(what, amount));
    }

    private Map<String, Double> perform(String what, double amount) throws InterruptedException {
        executors.forEach(Thread::start);
        cameras.forEach(Thread::start);
        try {
            Map<String, Double> figures = new HashMap<>(what.equals("starts") ? starts((int) amount) : frames(amount));
            figures.put("ui", (double) tier.ui());
            figures.put("camera", (double) tier.camera());
            figures.put("executor", (double) tier.executor());
            figures.put("real-time", tier.realTime() ? 1.0 : 0.0);
            return figures;
        } finally {
            cameras.forEach(CameraLoad::stopSoon);
            executors.forEach(BackgroundExecutor::stopSoon);
            for (BackgroundExecutor executor : executors) {
                executor.join();
            }
        }
    }

    private Map<String, Double> frames(double seconds) throws InterruptedException {
        HandlerThread ui = ui();
        Handler handler = handler(ui);
        try {
            return FrameLoop.run(looper(ui), () -> draw(handler), FrameLoop.during(seconds));
        } finally {
            aim(null);
            ui.quit();
        }
    }

    /** Draws a frame: computes and sets timeouts. */
    private static void draw(Handler handler) {
        for (int i = 0; i < TIMEOUTS_OF_UI; i++) {
            BackgroundExecutor.rearm(handler, EXECUTORS * BackgroundExecutor.TIMEOUTS + i);
            FixedWork.nanos(FRAME_NANOS / TIMEOUTS_OF_UI);
        }
    }

    private Map<String, Double> starts(int count) throws InterruptedException {
        DurationSamples delays = new DurationSamples();
        for (int i = 0; i < count; i++) {
            delays.add(start());
        }
        return delays.figures();
    }

    private long start() throws InterruptedException {
        HandlerThread ui = ui();
        try {
            Handler handler = handler(ui);
            FrameClock frames = new FrameClock(looper(ui), FrameLoop.PERIOD);
            CountDownLatch shown = new CountDownLatch(1);
            long[] end = {0};
            long began = Clock.system().nanos();
            handler.post(() -> step(
                    handler,
                    STEPS_OF_START,
                    () -> frames.postFrameCallback(_ -> {
                        draw(handler);
                        end[0] = Clock.system().nanos();
                        shown.countDown();
                    })));
            if (!shown.await(MOST_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("no first frame after " + MOST_SECONDS + " s");
            }
            return end[0] - began;
        } finally {
            aim(null);
            ui.quit();
        }
    }

    /** Runs one step of a start, which continues from message to message, as an app's startup does. */
    private static void step(Handler handler, int left, Runnable then) {
        FixedWork.nanos(STEP_NANOS);
        if (left == 0) {
            then.run();
        } else {
            handler.post(() -> step(handler, left - 1, then));
        }
    }

    /** Starts a UI thread with all timeouts in its queue, and lets the executors use it. */
    private HandlerThread ui() {
        HandlerThread thread = new HandlerThread(UI, options) {
            @Override
            protected void onLooperPrepared() {
                Niceness.setCurrentThread(tier.ui());
                if (tier.realTime()) {
                    boolean _ = SchedulingPrivilege.becomeRealTime(); // checked before
                }
            }
        };
        thread.setDaemon(true);
        thread.start();
        Handler handler = handler(thread);
        for (int code = 0; code < EXECUTORS * BackgroundExecutor.TIMEOUTS; code++) {
            BackgroundExecutor.rearm(handler, code);
        }
        aim(thread);
        return thread;
    }

    private void aim(@Nullable HandlerThread thread) {
        Handler handler = thread == null ? null : handler(thread);
        executors.forEach(executor -> executor.aimAt(handler));
    }

    private static Handler handler(HandlerThread thread) {
        return new Handler(looper(thread));
    }

    private static Looper looper(HandlerThread thread) {
        return Objects.requireNonNull(thread.getLooper(), "a thread just started has a looper");
    }
}

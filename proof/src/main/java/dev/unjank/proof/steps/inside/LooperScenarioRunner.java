package dev.unjank.proof.steps.inside;

import dev.unjank.looper.Handler;
import dev.unjank.looper.HandlerThread;
import dev.unjank.looper.Looper;
import dev.unjank.looper.LooperOptions;
import dev.unjank.looper.QueueKind;
import dev.unjank.proof.steps.PreemptionScenario;
import dev.unjank.proof.steps.ScenarioRunner;
import java.util.concurrent.CountDownLatch;

/** Runs scenarios with the looper of this class's loader. */
public final class LooperScenarioRunner implements ScenarioRunner {
    /** Called by reflection. */
    public LooperScenarioRunner() {}

    @Override
    public void play(PreemptionScenario scene, Poster poster) {
        new ScenarioRun(scene, poster).perform();
    }

    @Override
    public void wakeRealLoop(String queue, Poster poster) throws InterruptedException {
        HandlerThread thread =
                new HandlerThread("real loop", LooperOptions.defaults().withQueue(QueueKind.valueOf(queue)));
        thread.start();
        Looper looper = thread.getLooper();
        if (looper == null) {
            throw new AssertionError("the loop's thread has ended");
        }
        Handler handler = new Handler(looper);
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        CountDownLatch ran = new CountDownLatch(1);
        poster.begin(() -> handler.post(ran::countDown));
        poster.finish();
        ran.await();
        thread.quitSafely();
        thread.join();
    }
}

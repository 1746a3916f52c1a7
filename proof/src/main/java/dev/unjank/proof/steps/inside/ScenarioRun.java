package dev.unjank.proof.steps.inside;

import dev.unjank.looper.Handler;
import dev.unjank.looper.Looper;
import dev.unjank.looper.LooperOptions;
import dev.unjank.looper.Message;
import dev.unjank.looper.QueueKind;
import dev.unjank.looper.TestLooperManager;
import dev.unjank.looper.spi.Waker;
import dev.unjank.proof.steps.PreemptionScenario;
import dev.unjank.proof.steps.PreemptionScenario.Operation;
import dev.unjank.proof.steps.PreemptionScenario.Others;
import dev.unjank.proof.steps.PreemptionScenario.Situation;
import dev.unjank.proof.steps.ScenarioRunner.Poster;
import org.jspecify.annotations.Nullable;

/**
 * One run of a scenario. One thread drives the looper and simulates all other threads; the poster runs on its own
 * thread. All operations that a stopped poster could block run between {@link Poster#begin} and {@link Poster#finish}.
 * If one of them blocks, this thread hangs there, and the caller detects it.
 */
final class ScenarioRun {
    private static final int FIRST = 1;
    private static final int OTHER = 2;
    private static final int TARGET = 3;
    private static final int FILLER = 4;
    private static final int UNKNOWN = 5;
    private static final long START = 1_000_000_000;
    private static final long FAR = 1_000_000;
    private static final long SOON = 5;

    private final PreemptionScenario scene;
    private final Poster poster;
    private final Sleep sleep = new Sleep();
    private final Looper looper;
    private final TestLooperManager manager;
    private final Handler handler;
    private final int[] runs = new int[UNKNOWN + 1];
    private final Object token = new Object();
    private final Message target;

    private volatile long nanos = START;
    private int barrier;
    private boolean otherWasSent;
    // written by the poster's thread, read after it has finished
    private volatile boolean sent;
    private volatile boolean cancelled;
    private volatile int postedBarrier;

    ScenarioRun(PreemptionScenario scene, Poster poster) {
        this.scene = scene;
        this.poster = poster;
        looper = Looper.create(LooperOptions.defaults()
                .withQueue(QueueKind.valueOf(scene.queue()))
                .withClock(() -> nanos)
                .withWaker(() -> sleep));
        manager = new TestLooperManager(looper);
        handler = new Handler(looper, message -> runs[message.what]++ >= 0);
        target = handler.obtainMessage(TARGET, token);
    }

    /**
     * Instead of sleeping, runs the actions that happen during the sleep; no other thread could wake the looper.
     */
    private final class Sleep implements Waker {
        private @Nullable Runnable meanwhile;
        private volatile boolean woken;

        @Override
        public void await(long forNanos) {
            Runnable once = meanwhile;
            meanwhile = null;
            if (once != null) {
                once.run();
            }
            require(woken, "the looper was not woken");
            woken = false;
        }

        @Override
        public void wake() {
            woken = true;
        }
    }

    private void require(boolean holds, String failure) {
        if (!holds) {
            throw new AssertionError(failure + " (" + scene + ")");
        }
    }

    // ---- the scenario

    void perform() {
        prepare();
        if (scene.situation().isAsleep()) {
            sleep.meanwhile = this::meanwhile;
            Message first = manager.next();
            if (first != null) {
                run(first);
            }
        } else {
            meanwhile();
        }
        runWhatIsDue();
        checkOthers();
        poster.finish();
        checkPoster();
        looper.quit();
        require(manager.next() == null, "the loop does not end");
        require(runs[FIRST] <= 1 && runs[OTHER] <= 1 && runs[TARGET] <= 1, "a message was run twice");
    }

    private void prepare() {
        switch (scene.situation()) {
            case EMPTY -> require(manager.poll() == null, "the new queue is not empty");
            case BUSY -> {
                handler.sendEmptyMessage(FILLER);
                handler.sendEmptyMessage(FILLER);
                handler.sendEmptyMessageDelayed(FILLER, FAR);
                handler.sendEmptyMessageDelayed(UNKNOWN, FAR);
                runOne();
                handler.removeMessages(UNKNOWN);
                handler.sendMessage(target);
                handler.sendEmptyMessageDelayed(UNKNOWN, FAR);
            }
            case ASLEEP -> {}
            case ASLEEP_UNTIL_A_TIMER -> handler.sendMessageDelayed(target, FAR);
            case ASLEEP_BEHIND_A_BARRIER -> {
                barrier = looper.getQueue().postSyncBarrier();
                handler.sendMessage(target);
            }
            case QUIT -> looper.quit();
        }
    }

    private void meanwhile() {
        poster.begin(this::operate);
        switch (scene.others()) {
            case SEND_AND_REMOVE -> sendAndRemove();
            case QUIT -> looper.quit();
        }
    }

    /** Runs the operation, on the poster's thread. */
    private void operate() {
        switch (scene.operation()) {
            case POST -> sent = handler.post(() -> runs[FIRST]++);
            case SEND_DELAYED -> sent = handler.sendMessageDelayed(handler.obtainMessage(FIRST), SOON);
            case SEND_TO_FRONT -> sent = handler.sendMessageAtFrontOfQueue(handler.obtainMessage(FIRST));
            case SEND_ASYNCHRONOUS -> {
                Message message = handler.obtainMessage(FIRST);
                message.setAsynchronous(true);
                sent = handler.sendMessage(message);
            }
            case REMOVE_MESSAGES -> handler.removeMessages(TARGET);
            case REMOVE_BY_TOKEN -> handler.removeCallbacksAndMessages(token);
            case CANCEL -> cancelled = target.cancel();
            case HAS_MESSAGES -> handler.hasMessages(UNKNOWN);
            case POST_BARRIER -> postedBarrier = looper.getQueue().postSyncBarrier();
            case REMOVE_BARRIER -> removeBarrier();
            case QUIT -> looper.quit();
            case QUIT_SAFELY -> looper.quitSafely();
        }
    }

    private void removeBarrier() {
        try {
            looper.getQueue().removeSyncBarrier(barrier);
        } catch (IllegalStateException e) {
            require(scene.others() == Others.QUIT, "the barrier was not found");
        }
    }

    private void sendAndRemove() {
        Message other = handler.obtainMessage(OTHER);
        // past a barrier, where there is one
        other.setAsynchronous(barrier != 0 || scene.operation() == Operation.POST_BARRIER);
        otherWasSent = handler.sendMessage(other);
        if (!otherWasSent && !sleep.woken) {
            // the poster is about to quit: only its own wake-up remains
            require(
                    scene.operation().quits() || scene.situation() == Situation.QUIT,
                    "a message was refused although the queue has not quit");
            poster.finish();
        }
        handler.removeMessages(UNKNOWN);
        require(!handler.hasMessages(UNKNOWN), "a removed message is still in the queue");
    }

    private void runOne() {
        Message message = manager.poll();
        require(message != null, "nothing is due");
        run(message);
    }

    private void run(@Nullable Message message) {
        if (message != null) {
            manager.execute(message);
            manager.recycle(message);
        }
    }

    private void runWhatIsDue() {
        for (Message message = manager.poll(); message != null; message = manager.poll()) {
            run(message);
        }
    }

    // ---- checks

    private void checkOthers() {
        if (scene.others() == Others.QUIT) {
            require(!handler.hasMessages(TARGET), "messages are left after quit");
            require(manager.next() == null, "the loop does not end");
        } else {
            require(runs[OTHER] == (otherWasSent ? 1 : 0), "another poster's message was not run");
        }
    }

    private void checkPoster() {
        boolean quit =
                scene.others() == Others.QUIT || scene.operation().quits() || scene.situation() == Situation.QUIT;
        if (quit) {
            require(!handler.post(() -> {}), "a post was accepted after quit");
            require(!handler.hasMessages(FIRST), "messages are left after quit");
        } else {
            if (barrier != 0 && scene.operation() != Operation.REMOVE_BARRIER) {
                looper.getQueue().removeSyncBarrier(barrier);
            }
            if (postedBarrier != 0) {
                looper.getQueue().removeSyncBarrier(postedBarrier);
            }
            nanos = START + 2 * SOON * 1_000_000;
        }
        int before = runs[FIRST] + runs[TARGET];
        runWhatIsDue();
        if (quit) {
            require(before == runs[FIRST] + runs[TARGET], "a message was run after quit");
            return;
        }
        if (scene.operation().sends()) {
            require(sent && runs[FIRST] == 1, "the poster's own message was not run");
        }
        if (scene.operation().removes()) {
            require(!handler.hasMessages(TARGET), "the target is still there");
            boolean wasThere = scene.situation() == Situation.BUSY
                    || scene.situation() == Situation.ASLEEP_UNTIL_A_TIMER
                    || scene.situation() == Situation.ASLEEP_BEHIND_A_BARRIER;
            if (scene.operation() == Operation.CANCEL && wasThere) {
                require(cancelled == (runs[TARGET] == 0), "the target must be either run or removed, but not both");
            }
        }
    }
}

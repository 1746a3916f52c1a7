package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.looper.fixture.StressRounds;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Under stress every wake-up arrives. */
class WakeUpStressTest extends StressRounds {
    @Test
    void everyWakeArrives() throws Exception {
        rounds(QUICK_MILLIS, this::pingPong);
    }

    @Test
    @Tag("long")
    void everyWakeArrivesLong() throws Exception {
        rounds(LONG_MILLIS, this::pingPong);
    }

    /** Several threads post one message at a time, from random moments around the looper's going to sleep. */
    private void pingPong(int seed) throws Exception {
        HandlerThread thread = startLooper();
        Handler handler = new Handler(thread.getLooper());
        Handler async = Handler.createAsync(thread.getLooper());
        inParallel(2, index -> {
            Random random = new Random(seed * 31L + index);
            for (int i = 0; i < 300; i++) {
                CountDownLatch arrived = new CountDownLatch(1);
                int way = random.nextInt(6);
                switch (way) {
                    case 0 -> handler.postAtFrontOfQueue(arrived::countDown);
                    case 1 -> handler.postDelayed(arrived::countDown, 1);
                    case 2 -> {
                        // a barrier that is removed after the looper may have gone to sleep behind it
                        int token = handler.queue.postSyncBarrier();
                        handler.post(arrived::countDown);
                        spin(random);
                        handler.queue.removeSyncBarrier(token);
                    }
                    case 3 -> {
                        int token = handler.queue.postSyncBarrier();
                        spin(random);
                        async.post(arrived::countDown);
                        assertArrives(arrived, "asynchronous behind a barrier");
                        handler.queue.removeSyncBarrier(token);
                    }
                    case 4 -> {
                        // something to sleep for that is taken away again
                        Runnable decoy = () -> {};
                        handler.postDelayed(decoy, 2);
                        spin(random);
                        handler.removeCallbacks(decoy);
                        handler.post(arrived::countDown);
                    }
                    default -> handler.post(arrived::countDown);
                }
                assertArrives(arrived, "way " + way);
                spin(random);
            }
        });
        thread.quit();
        thread.join();
    }

    @Test
    void everyWakeArrivesOnTheBrinkOfSleep() throws Exception {
        onTheBrink(QUICK_MILLIS);
    }

    @Test
    @Tag("long")
    void everyWakeArrivesOnTheBrinkOfSleepLong() throws Exception {
        onTheBrink(LONG_MILLIS);
    }

    /**
     * One thread that spins instead of sleeping, so that its next change hits the looper within nanoseconds of going to
     * sleep. It alternates between a plain post and the removal of a barrier.
     */
    private void onTheBrink(long millis) throws Exception {
        HandlerThread thread = startLooper();
        Handler handler = new Handler(thread.getLooper());
        AtomicInteger ran = new AtomicInteger();
        AtomicInteger token = new AtomicInteger();
        Random random = new Random(1);
        int[] sent = {0};
        rounds(millis, round -> {
            for (int i = 0; i < 100; i++) {
                handler.post(ran::incrementAndGet);
                int expected = ++sent[0];
                awaitSpinning(() -> ran.get() == expected);
                pause(random.nextInt(200));
            }
            for (int i = 0; i < 100; i++) {
                token.set(0);
                handler.post(() -> {
                    int barrier = handler.queue.postSyncBarrier();
                    handler.post(ran::incrementAndGet);
                    token.set(barrier);
                });
                awaitSpinning(() -> token.get() != 0);
                pause(random.nextInt(200));
                handler.queue.removeSyncBarrier(token.get());
                int expected = ++sent[0];
                awaitSpinning(() -> ran.get() == expected);
            }
        });
        thread.quit();
        thread.join();
    }

    private static void assertArrives(CountDownLatch latch, String what) throws InterruptedException {
        assertThat(latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).as(what).isTrue();
    }

    private static void spin(Random random) {
        pause(random.nextInt(4) == 0 ? random.nextInt(20_000) : random.nextInt(100));
    }
}

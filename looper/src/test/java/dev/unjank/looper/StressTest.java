package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Real threads against the invariants of the queues: a message is run once or removed once, and never both; order is
 * kept; nothing is lost across quit; every wake-up arrives. The quick form takes a second for each, the long form half a
 * minute.
 */
@ParameterizedClass
@EnumSource
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class StressTest {
    private static final long QUICK_MILLIS = 1_000;
    private static final long LONG_MILLIS = 30_000;
    private static final int PRODUCERS = 3;
    private static final long PATIENCE_SECONDS = 30;

    @Parameter
    QueueKind kind;

    /** A message, and what has become of it. */
    private static final class Sent {
        final Message message;
        final int producer;
        final int number;
        boolean accepted;
        /** Counted by the looper's thread. */
        int runs;

        Sent(Handler handler, int producer, int number) {
            this.message = handler.obtainMessage(number % CODES, this);
            this.producer = producer;
            this.number = number;
        }

        boolean wasRun() {
            return message.life() == Node.RECYCLED && accepted;
        }
    }

    private static final int CODES = 8;

    private HandlerThread startLooper() {
        HandlerThread thread =
                new HandlerThread("stressed", LooperOptions.defaults().withQueue(kind));
        thread.start();
        return thread;
    }

    private interface Task {
        void run(int index) throws Exception;
    }

    /** Runs a task on several threads and waits for all of them; a failure in one is a failure of the test. */
    private static void inParallel(int count, Task task) throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int index = i;
            Thread thread = new Thread(() -> {
                try {
                    task.run(index);
                } catch (Throwable t) {
                    failure.compareAndSet(null, t);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
    }

    private static void rounds(long millis, Task round) throws Exception {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        int n = 0;
        do {
            round.run(n++);
        } while (System.nanoTime() < end);
    }

    // ---- run once or removed once

    @Test
    void eachMessageIsRunOnceOrRemovedOnceNeverBoth() throws Exception {
        rounds(QUICK_MILLIS, this::runOrRemoved);
    }

    @Test
    @Tag("long")
    void eachMessageIsRunOnceOrRemovedOnceNeverBothLong() throws Exception {
        rounds(LONG_MILLIS, this::runOrRemoved);
    }

    private void runOrRemoved(int seed) throws Exception {
        HandlerThread thread = startLooper();
        Handler handler = new Handler(thread.getLooper(), m -> {
            Sent sent = (Sent) m.obj;
            sent.runs++;
            return true;
        });
        int each = 400;
        Sent[][] sent = new Sent[PRODUCERS][each];
        inParallel(PRODUCERS + 1, index -> {
            Random random = new Random(seed * 31L + index);
            if (index == PRODUCERS) {
                for (int i = 0; i < each; i++) {
                    handler.removeMessages(random.nextInt(CODES));
                    handler.hasMessages(random.nextInt(CODES));
                }
                return;
            }
            for (int i = 0; i < each; i++) {
                Sent s = new Sent(handler, index, i);
                sent[index][i] = s;
                s.message.setAsynchronous(random.nextInt(4) == 0);
                s.accepted = random.nextInt(8) == 0
                        ? handler.sendMessageAtFrontOfQueue(s.message)
                        : handler.sendMessageDelayed(s.message, random.nextInt(3));
                if (random.nextInt(8) == 0) {
                    handler.removeMessages(random.nextInt(CODES));
                }
                if (random.nextInt(50) == 0) {
                    handler.queue.removeSyncBarrier(handler.queue.postSyncBarrier());
                }
            }
        });
        awaitIdle(handler);
        thread.quitSafely();
        thread.join();
        for (Sent[] ofOne : sent) {
            for (Sent s : ofOne) {
                assertThat(s.accepted).isTrue();
                int state = s.message.life();
                assertThat(state).isIn(Node.RECYCLED, Node.REMOVED);
                assertThat(s.runs).isEqualTo(state == Node.RECYCLED ? 1 : 0);
            }
        }
    }

    /** Returns when everything that was sent with a delay of a few milliseconds has gone. */
    private static void awaitIdle(Handler handler) throws InterruptedException {
        CountDownLatch last = new CountDownLatch(1);
        handler.postAtTime(last::countDown, handler.queue.clock.uptimeMillis() + 5);
        // what removes code 0 has ended by now, so this arrives
        assertThat(last.await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .as("the last one arrives")
                .isTrue();
    }

    // ---- order

    @Test
    void theMessagesOfOneProducerRunInTheirOrder() throws Exception {
        rounds(QUICK_MILLIS, this::ordered);
    }

    @Test
    @Tag("long")
    void theMessagesOfOneProducerRunInTheirOrderLong() throws Exception {
        rounds(LONG_MILLIS, this::ordered);
    }

    private void ordered(int round) throws Exception {
        HandlerThread thread = startLooper();
        List<Sent> order = new ArrayList<>();
        Handler handler = new Handler(thread.getLooper(), m -> order.add((Sent) m.obj));
        int each = 1_000;
        inParallel(PRODUCERS, index -> {
            for (int i = 0; i < each; i++) {
                // the same time for all, so that nothing but the order of sending decides
                handler.sendMessageAtTime(new Sent(handler, index, i).message, 1);
            }
        });
        awaitIdle(handler);
        thread.quit();
        thread.join();
        assertThat(order).hasSize(PRODUCERS * each);
        int[] next = new int[PRODUCERS];
        for (Sent s : order) {
            assertThat(s.number).isEqualTo(next[s.producer]++);
        }
    }

    @Test
    void whatIsSentBeforeTheLooperLooksRunsInTheOrderOfTime() throws Exception {
        rounds(QUICK_MILLIS, this::sortedByTime);
    }

    @Test
    @Tag("long")
    void whatIsSentBeforeTheLooperLooksRunsInTheOrderOfTimeLong() throws Exception {
        rounds(LONG_MILLIS, this::sortedByTime);
    }

    private void sortedByTime(int seed) throws Exception {
        HandlerThread thread = startLooper();
        List<Long> whens = new ArrayList<>();
        Handler handler = new Handler(thread.getLooper(), m -> whens.add(m.getWhen()));
        TestLooperManager manager = new TestLooperManager(thread.getLooper());
        int each = 300;
        inParallel(PRODUCERS, index -> {
            Random random = new Random(seed * 31L + index);
            for (int i = 0; i < each; i++) {
                handler.sendEmptyMessageAtTime(1, 1 + random.nextInt(100));
            }
        });
        manager.release();
        awaitIdle(handler);
        thread.quit();
        thread.join();
        assertThat(whens).hasSize(PRODUCERS * each).isSorted();
    }

    // ---- quitting

    @Test
    void nothingIsLostAcrossQuitSafely() throws Exception {
        rounds(QUICK_MILLIS, round -> acrossQuit(true));
    }

    @Test
    @Tag("long")
    void nothingIsLostAcrossQuitSafelyLong() throws Exception {
        rounds(LONG_MILLIS, round -> acrossQuit(true));
    }

    @Test
    void nothingRunsThatQuitHasRefusedOrDropped() throws Exception {
        rounds(QUICK_MILLIS, round -> acrossQuit(false));
    }

    @Test
    @Tag("long")
    void nothingRunsThatQuitHasRefusedOrDroppedLong() throws Exception {
        rounds(LONG_MILLIS, round -> acrossQuit(false));
    }

    private void acrossQuit(boolean safely) throws Exception {
        HandlerThread thread = startLooper();
        Looper looper = thread.getLooper();
        Handler handler = new Handler(looper, m -> {
            ((Sent) m.obj).runs++;
            return true;
        });
        List<List<Sent>> sent = new ArrayList<>();
        for (int i = 0; i < PRODUCERS; i++) {
            sent.add(new ArrayList<>());
        }
        CountDownLatch warm = new CountDownLatch(PRODUCERS);
        inParallel(PRODUCERS + 1, index -> {
            if (index == PRODUCERS) {
                warm.await();
                if (safely) {
                    looper.quitSafely();
                } else {
                    looper.quit();
                }
                assertThat(handler.post(() -> {})).as("a post after quit").isFalse();
                return;
            }
            for (int i = 0; ; i++) {
                Sent s = new Sent(handler, index, i);
                // due whenever quit looks at the clock
                s.accepted = handler.sendMessageAtTime(s.message, 1);
                sent.get(index).add(s);
                if (i == 20) {
                    warm.countDown();
                }
                if (!s.accepted) {
                    return;
                }
            }
        });
        thread.join();
        for (List<Sent> ofOne : sent) {
            boolean dropping = false;
            for (Sent s : ofOne) {
                int state = s.message.life();
                assertThat(s.runs).isEqualTo(s.wasRun() ? 1 : 0);
                assertThat(state).isIn(Node.RECYCLED, Node.REMOVED);
                if (safely) {
                    assertThat(s.wasRun()).as("accepted and due means run").isEqualTo(s.accepted);
                }
                // once quit has dropped one, nothing that was sent later by the same thread runs
                assertThat(dropping && s.wasRun()).isFalse();
                dropping |= !s.wasRun();
            }
        }
    }

    @Test
    void nothingIsLostIfQuitSafelyComesOnTheBrinkOfSleep() throws Exception {
        quitOnTheBrink(QUICK_MILLIS);
    }

    @Test
    @Tag("long")
    void nothingIsLostIfQuitSafelyComesOnTheBrinkOfSleepLong() throws Exception {
        quitOnTheBrink(LONG_MILLIS);
    }

    /** The life of one looper, which another thread drives. */
    private static final class Life {
        final Looper looper;
        final Handler handler;
        final AtomicInteger ran = new AtomicInteger();
        volatile boolean over;

        Life(QueueKind kind) {
            looper = Looper.create(LooperOptions.defaults().withQueue(kind));
            handler = new Handler(looper);
        }

        void drive() {
            TestLooperManager manager = new TestLooperManager(looper);
            for (Message m = manager.next(); m != null; m = manager.next()) {
                manager.execute(m);
                manager.recycle(m);
            }
            over = true;
        }
    }

    /** A post and quitSafely in one breath, at the moment at which the looper has found nothing to do. */
    private void quitOnTheBrink(long millis) throws Exception {
        AtomicReference<Life> current = new AtomicReference<>();
        Thread driver = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                Life life = current.get();
                if (life != null && !life.over) {
                    life.drive();
                }
                Thread.onSpinWait();
            }
        });
        driver.start();
        Random random = new Random(1);
        rounds(millis, round -> {
            Life life = new Life(kind);
            current.set(life);
            life.handler.post(life.ran::incrementAndGet);
            awaitSpinning(() -> life.ran.get() == 1);
            pause(random.nextInt(100));
            assertThat(life.handler.post(life.ran::incrementAndGet)).isTrue();
            life.looper.quitSafely();
            awaitSpinning(() -> life.over);
            assertThat(life.ran).hasValue(2);
        });
        driver.interrupt();
        driver.join();
    }

    // ---- waking

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

    private static void awaitSpinning(BooleanSupplier condition) {
        long start = System.nanoTime();
        for (int i = 1; !condition.getAsBoolean(); i++) {
            Thread.onSpinWait();
            if (i % 10_000 == 0 && System.nanoTime() - start > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
                throw new AssertionError("it did not arrive: the wake-up was lost");
            }
        }
    }

    private static void pause(int turns) {
        for (int i = 0; i < turns; i++) {
            Thread.onSpinWait();
        }
    }

    private static void assertArrives(CountDownLatch latch, String what) throws InterruptedException {
        assertThat(latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).as(what).isTrue();
    }

    private static void spin(Random random) {
        pause(random.nextInt(4) == 0 ? random.nextInt(20_000) : random.nextInt(100));
    }
}

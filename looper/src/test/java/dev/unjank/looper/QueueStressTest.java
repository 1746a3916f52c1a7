package dev.unjank.looper;

import static dev.unjank.looper.queue.NodeState.RECYCLED;
import static dev.unjank.looper.queue.NodeState.REMOVED;
import static dev.unjank.looper.queue.NodeState.life;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.looper.fixture.StressRounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Under stress: a message is run once or removed once, never both; order is kept; no message is lost across quit. */
class QueueStressTest extends StressRounds {
    private static final int PRODUCERS = 3;
    private static final int CODES = 8;

    /** A message and its fate. */
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
            return life(message) == RECYCLED && accepted;
        }
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
                int state = life(s.message);
                assertThat(state).isIn(RECYCLED, REMOVED);
                assertThat(s.runs).isEqualTo(state == RECYCLED ? 1 : 0);
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
                // the same time for all, so that only the order of sending decides
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
                int state = life(s.message);
                assertThat(s.runs).isEqualTo(s.wasRun() ? 1 : 0);
                assertThat(state).isIn(RECYCLED, REMOVED);
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

    /** A post immediately followed by quitSafely, at the moment at which the looper has found no message. */
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
}

package dev.unjank.looper;

import static dev.unjank.looper.queue.NodeState.casFreshToClaimed;
import static dev.unjank.looper.queue.NodeState.nextOpaque;
import static dev.unjank.looper.queue.NodeState.setDueMillis;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.looper.fixture.ManualClock;
import dev.unjank.looper.fixture.ManualLooper;
import dev.unjank.looper.fixture.ManualWaker;
import dev.unjank.looper.queue.AdaptiveSpin;
import dev.unjank.looper.queue.DrainedMessages;
import dev.unjank.looper.queue.MessageGenerations;
import dev.unjank.looper.queue.Node;
import dev.unjank.looper.spi.Waker;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Guarantees of the lock-free queue beyond the common contract. */
class LockFreeQueueTest {
    /** The number of linked messages, including tombstones. */
    private static int stacked(LockFreeQueue queue) {
        int n = 0;
        for (Node m = queue.stack.topAcquire(); m != null; m = nextOpaque(m)) {
            n++;
        }
        return n;
    }

    private static Message end(long millis) {
        Message end = Message.end();
        setDueMillis(end, millis);
        return end;
    }

    @Test
    void undrainedGarbageIsUnlinkedWhileTheLooperSleeps() {
        ManualLooper hand = new ManualLooper(QueueKind.LOCK_FREE);
        LockFreeQueue queue = (LockFreeQueue) hand.queue;
        int rounds = 10;
        hand.postAt("far", 1_000_000);
        for (int round = 0; round < rounds; round++) {
            hand.waker.whileAsleep(() -> {
                for (int i = 0; i < LockFreeQueue.UNDRAINED_BOUND; i++) {
                    Message m = hand.handler.obtainMessage(1);
                    hand.handler.sendMessageDelayed(m, 5_000);
                    m.cancel();
                }
                assertThat(stacked(queue)).isEqualTo(LockFreeQueue.UNDRAINED_BOUND + 1);
            });
        }
        hand.waker.whileAsleep(() -> assertThat(stacked(queue)).isEqualTo(1));
        assertThat(hand.runUntil(1)).containsExactly("far");
        assertThat(hand.waker.wakes).isEqualTo(rounds);
        assertThat(hand.waker.stepsLeft()).isFalse();
    }

    @Test
    void settledGarbageIsUnlinkedWhileTheLooperSleeps() {
        ManualLooper hand = new ManualLooper(QueueKind.LOCK_FREE);
        LockFreeQueue queue = (LockFreeQueue) hand.queue;
        Message[] timers = new Message[5_000];
        for (int i = 0; i < timers.length; i++) {
            timers[i] = hand.handler.obtainMessage(i);
            hand.handler.sendMessageDelayed(timers[i], 5_000 + i % 7);
        }
        for (int round = 0; round < 5; round++) {
            int from = round * 999;
            hand.waker.whileAsleep(() -> {
                for (int i = from; i < from + 999; i++) {
                    assertThat(timers[i].cancel()).isTrue();
                }
            });
        }
        int[] linked = new int[1];
        hand.waker.whileAsleep(() -> linked[0] = stacked(queue));
        assertThat(hand.runUntil(5)).hasSize(5);
        assertThat(hand.runDue()).hasSize(5);
        assertThat(linked[0]).as("5 alive, and the tolerated dead").isLessThan(5 + MessageGenerations.TOLERATED);
        assertThat(stacked(queue)).isZero();
    }

    @Test
    void timersAreFoundAndRemovedByKeyHoweverManyThereAre() {
        ManualLooper hand = new ManualLooper(QueueKind.LOCK_FREE);
        Handler other = hand.loggingHandler("other ");
        Runnable r = hand.log("r");
        int count = 3_000;
        for (int i = 0; i < count; i++) {
            hand.handler.sendEmptyMessageDelayed(i, 1_000 + i);
            other.sendEmptyMessageDelayed(i, 1_000 + i);
        }
        hand.handler.postDelayed(r, 500);
        hand.waker.whileAsleep(() -> {
            for (int i = 0; i < count; i += 2) {
                assertThat(hand.handler.hasMessages(i)).isTrue();
                hand.handler.removeMessages(i);
                assertThat(hand.handler.hasMessages(i)).isFalse();
                assertThat(other.hasMessages(i)).isTrue();
            }
            assertThat(hand.handler.hasMessages(count)).isFalse();
            assertThat(hand.handler.hasCallbacks(r)).as("Runnables have code 0").isFalse();
        });
        hand.waker.whileAsleep(() -> hand.handler.postDelayed(r, 500));
        hand.waker.whileAsleep(() -> {
            assertThat(hand.handler.hasCallbacks(r)).isTrue();
            hand.handler.removeCallbacks(r);
            assertThat(hand.handler.hasCallbacks(r)).isFalse();
        });
        assertThat(hand.runUntil(count + count / 2)).hasSize(count + count / 2).startsWith("other 0", "1", "other 1");
    }

    /**
     * A quitting thread may be preempted after it has closed the queue and before it has dropped the waiting messages.
     */
    @Test
    void nothingRunsOnceTheQueueIsClosed() {
        ManualLooper hand = new ManualLooper(QueueKind.LOCK_FREE);
        hand.post("seen before");
        assertThat(hand.queue.poll(hand.clock.nanos() - 1_000_000, false)).isNull();
        hand.post("not seen");
        ((LockFreeQueue) hand.queue).stack.close(end(Long.MIN_VALUE));
        assertThat(hand.queue.poll(hand.clock.nanos(), true)).isNull();
        assertThat(hand.queue.pollResult.ended).isTrue();
    }

    @Test
    void aPosterStuckInItsWakeBlocksNoOtherThread() throws Exception {
        CountDownLatch asleep = new CountDownLatch(1);
        CountDownLatch stuck = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        CountDownLatch secondHasRun = new CountDownLatch(1);
        Waker parking = Waker.parking();
        Waker waker = new Waker() {
            @Override
            public void await(long nanos) {
                asleep.countDown(); // it has checked once more: from now on a poster must wake it
                parking.await(nanos);
            }

            @Override
            public void wake() {
                if (Thread.currentThread().getName().equals("preempted")) {
                    stuck.countDown();
                    try {
                        proceed.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
                parking.wake();
            }
        };
        HandlerThread thread = new HandlerThread(
                "looper",
                LooperOptions.defaults().withQueue(QueueKind.LOCK_FREE).withWaker(() -> waker));
        thread.start();
        Handler handler = new Handler(thread.getLooper());
        asleep.await();
        CountDownLatch firstHasRun = new CountDownLatch(1);
        Thread preempted = new Thread(() -> handler.post(firstHasRun::countDown), "preempted");
        preempted.start();
        stuck.await();
        handler.post(secondHasRun::countDown);
        secondHasRun.await();
        firstHasRun.await();
        assertThat(preempted.isAlive()).isTrue();
        thread.quit();
        thread.join();
        assertThat(handler.post(() -> {})).isFalse();
        proceed.countDown();
        preempted.join();
    }

    @Test
    void aTakenMessageIsNotKeptByTheQueue() {
        ManualLooper hand = new ManualLooper(QueueKind.LOCK_FREE);
        LockFreeQueue queue = (LockFreeQueue) hand.queue;
        for (int i = 0; i < 5; i++) {
            hand.post("" + i);
        }
        hand.runDue();
        assertThat(stacked(queue)).isZero();
    }

    @Test
    void theEndOfTimeDoesNotWakeTheLooper() {
        ManualLooper hand = new ManualLooper(QueueKind.LOCK_FREE);
        hand.waker.whileAsleep(() -> hand.postAt("never", Long.MAX_VALUE));
        hand.waker.whileAsleep(() -> hand.post("a"));
        assertThat(hand.runUntil(1)).containsExactly("a");
        assertThat(hand.waker.wakes).isEqualTo(1);
    }

    @Test
    void droppedMessagesAreGoneOnceTheStackIsClosedEvenWithoutTombstones() {
        ManualLooper hand = new ManualLooper(QueueKind.LOCK_FREE);
        hand.handler.sendEmptyMessage(1);
        hand.handler.sendEmptyMessageDelayed(2, 10);
        // the first half of quitSafely
        ((LockFreeQueue) hand.queue).stack.close(end(hand.now() + 1));
        assertThat(hand.handler.hasMessages(1)).isTrue();
        assertThat(hand.handler.hasMessages(2)).isFalse();
        assertThat(hand.queue.snapshot()).hasSize(1);
        assertThat(hand.handler.sendEmptyMessage(3)).isFalse();
    }

    @Test
    void aSnapshotBesideARunningLoopIsInOrder() throws Exception {
        HandlerThread thread =
                new HandlerThread("looper", LooperOptions.defaults().withQueue(QueueKind.LOCK_FREE));
        thread.start();
        Handler handler = new Handler(thread.getLooper());
        CountDownLatch over = new CountDownLatch(200_000);
        Thread sender = new Thread(() -> {
            for (int i = 0; i < 200_000; i++) {
                handler.postAtTime(over::countDown, 1 + i % 100);
            }
        });
        sender.start();
        while (over.getCount() > 0) {
            handler.queue.snapshot();
        }
        sender.join();
        thread.quit();
        thread.join();
    }

    /** A Runnable with a code has two keys. */
    @Test
    void anIndexWithTwoKeysPerMessageIsNotRebuiltForEach() {
        ManualLooper hand = new ManualLooper(QueueKind.LOCK_FREE);
        int count = 40_000;
        for (int i = 0; i < count; i++) {
            hand.handler.postDelayed(() -> {}, i + 1, 1_000_000);
            if (i % 200 == 0) {
                hand.runDue(); // settles them
            }
        }
        for (int i = 1; i <= count; i++) {
            assertThat(hand.handler.hasMessages(i)).isTrue();
        }
    }

    private static Message timer(int what, long millis) {
        Message m = Message.obtain(null, what);
        casFreshToClaimed(m);
        setDueMillis(m, millis);
        return m;
    }

    /** New messages that are not due keep coming while the looper is about to sleep, and time goes on. */
    @Test
    void endlessNewMessagesDoNotDelayDueMessages() {
        ManualClock clock = new ManualClock();
        ManualWaker waker = new ManualWaker(clock);
        LockFreeQueue[] queue = new LockFreeQueue[1];
        int[] looks = new int[1];
        queue[0] = new LockFreeQueue(clock, waker, new AdaptiveSpin() {
            @Override
            public boolean spinForMessages(DrainedMessages backlog) {
                assertThat(++looks[0]).as("looks").isLessThan(100);
                assertThat(queue[0].insert(timer(2, 1_000_000))).isTrue();
                clock.advanceMillis(1);
                return true;
            }
        });
        queue[0].insert(timer(1, 1_010));
        assertThat(queue[0].next().what).isEqualTo(1);
        assertThat(looks[0]).isEqualTo(10);
        assertThat(waker.sleeps).isZero();
    }

    /** The looper unlinks, settles and purges in every possible way beside a thread that searches all the time. */
    @Test
    void stayingMessagesAreFoundDuringUnlinking() throws Exception {
        HandlerThread thread = new HandlerThread("churn");
        thread.start();
        Handler handler = new Handler(thread.getLooper());
        handler.sendEmptyMessageDelayed(1, 1_000_000);
        AtomicInteger left = new AtomicInteger(200_000);
        Runnable churn = new Runnable() {
            @Override
            public void run() {
                int n = left.getAndDecrement();
                if (n > 0) {
                    handler.post(this);
                    handler.sendEmptyMessageDelayed(2 + n % 100, n % 3 == 0 ? 500_000 : 0);
                    if (n % 700 == 0) {
                        handler.removeMessages(2 + n % 100);
                    }
                    if (n % 10_000 == 0) { // settled messages go, and are purged
                        for (int what = 2; what < 102; what++) {
                            handler.removeMessages(what);
                        }
                    }
                }
            }
        };
        handler.post(churn);
        handler.sendEmptyMessageDelayed(1_000, 1_000_000); // above the others, for a while
        int searches = 0;
        for (; left.get() > 0; searches++) {
            assertThat(handler.hasMessages(1)).isTrue();
            assertThat(handler.hasMessages(1_000)).isTrue();
        }
        assertThat(searches).isPositive();
        thread.quit();
        thread.join();
    }
}

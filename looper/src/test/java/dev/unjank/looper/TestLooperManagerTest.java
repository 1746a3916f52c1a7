package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.fixture.ManualLooper;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Driving a looper manually, also one that runs on a thread of its own. */
@ParameterizedClass
@EnumSource
class TestLooperManagerTest {
    @Parameter
    QueueKind kind;

    private ManualLooper hand;

    @BeforeEach
    void prepare() {
        hand = new ManualLooper(kind);
    }

    @Test
    void pollTakesWhatIsDueAndNeverBlocks() {
        assertThat(hand.manager.poll()).isNull();
        hand.handler.sendEmptyMessageDelayed(1, 10);
        assertThat(hand.manager.poll()).isNull();
        hand.clock.advanceMillis(10);
        assertThat(hand.manager.poll()).isNotNull().extracting(m -> m.what).isEqualTo(1);
        assertThat(hand.waker.sleeps).isZero();
    }

    @Test
    void nextBlocksUntilSomethingIsDue() {
        hand.handler.sendEmptyMessageDelayed(1, 10);
        assertThat(hand.manager.next()).isNotNull();
        assertThat(hand.now()).isEqualTo(1_010);
    }

    @Test
    void peekWhenReturnsTheTimeOfTheNextDeliverableMessage() {
        assertThat(hand.manager.peekWhen()).isNull();
        hand.postAt("later", 1_500);
        assertThat(hand.manager.peekWhen()).isEqualTo(1_500);
        int token = hand.queue.postSyncBarrier();
        assertThat(hand.manager.peekWhen()).isNull();
        hand.postAsyncAt("async", 1_700);
        assertThat(hand.manager.peekWhen()).isEqualTo(1_700);
        hand.queue.removeSyncBarrier(token);
        assertThat(hand.manager.peekWhen()).isEqualTo(1_500);
    }

    @Test
    void isBlockedOnSyncBarrierIfOnlyABarrierStopsADueMessage() {
        assertThat(hand.manager.isBlockedOnSyncBarrier()).isFalse();
        hand.post("a");
        assertThat(hand.manager.isBlockedOnSyncBarrier()).isFalse();
        hand.runDue();
        int token = hand.queue.postSyncBarrier();
        assertThat(hand.manager.isBlockedOnSyncBarrier()).isFalse();
        hand.postAt("later", 1_010);
        assertThat(hand.manager.isBlockedOnSyncBarrier()).isFalse();
        hand.clock.advanceMillis(10);
        assertThat(hand.manager.isBlockedOnSyncBarrier()).isTrue();
        hand.postAsyncAt("async", 1_010);
        assertThat(hand.manager.isBlockedOnSyncBarrier()).isFalse();
        hand.runDue();
        assertThat(hand.manager.isBlockedOnSyncBarrier()).isTrue();
        hand.queue.removeSyncBarrier(token);
        assertThat(hand.manager.isBlockedOnSyncBarrier()).isFalse();
    }

    @Test
    void hasMessagesFindsByCodeOrRunnableAndObject() {
        Runnable r = hand.log("r");
        hand.handler.postDelayed(r, "token", 10);
        hand.handler.sendMessageDelayed(hand.handler.obtainMessage(3, "o"), 10);
        assertThat(hand.manager.hasMessages(hand.handler, null, r)).isTrue();
        assertThat(hand.manager.hasMessages(hand.handler, "token", r)).isTrue();
        assertThat(hand.manager.hasMessages(hand.handler, "o", r)).isFalse();
        assertThat(hand.manager.hasMessages(hand.handler, null, 3)).isTrue();
        assertThat(hand.manager.hasMessages(hand.handler, "o", 3)).isTrue();
        assertThat(hand.manager.hasMessages(hand.handler, "token", 3)).isFalse();
        assertThat(hand.manager.hasMessages(hand.loggingHandler(""), null, 3)).isFalse();
    }

    @Test
    void onlyTakenMessagesCanBeRecycled() {
        Message m = hand.handler.obtainMessage();
        assertThatThrownBy(() -> hand.manager.recycle(m)).isInstanceOf(IllegalStateException.class);
        hand.handler.sendMessage(m);
        assertThatThrownBy(() -> hand.manager.recycle(m)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void onlyOneManagerHoldsALooper() {
        assertThatThrownBy(() -> new TestLooperManager(hand.looper)).isInstanceOf(IllegalStateException.class);
        hand.manager.release();
        hand.manager.release();
        assertThatThrownBy(hand.manager::next).isInstanceOf(IllegalStateException.class);
        TestLooperManager second = new TestLooperManager(hand.looper);
        assertThat(second.getMessageQueue()).isSameAs(hand.queue);
        assertThat(second.getQueue()).isSameAs(hand.queue);
        second.release();
    }

    @Test
    void aLooperOnAThreadIsStoppedWhileHeldAndGoesOnAfterwards() throws Exception {
        HandlerThread thread =
                new HandlerThread("test", LooperOptions.defaults().withQueue(kind));
        thread.start();
        Looper looper = thread.getLooper();
        Handler handler = new Handler(looper);
        List<String> log = new CopyOnWriteArrayList<>();
        TestLooperManager manager = new TestLooperManager(looper);
        handler.post(() -> log.add("by hand on the looper's thread: " + looper.isCurrentThread()));
        handler.post(() -> log.add("by the loop"));
        Message m = manager.next();
        assertThat(log).isEmpty();
        manager.execute(m);
        manager.recycle(m);
        assertThat(log).containsExactly("by hand on the looper's thread: true");
        manager.release();
        thread.quitSafely();
        thread.join();
        assertThat(log).containsExactly("by hand on the looper's thread: true", "by the loop");
    }

    @Test
    void whatAMessageThrowsComesOutOfExecute() throws Exception {
        HandlerThread thread =
                new HandlerThread("test", LooperOptions.defaults().withQueue(kind));
        thread.start();
        Handler handler = new Handler(thread.getLooper());
        TestLooperManager manager = new TestLooperManager(thread.getLooper());
        handler.post(() -> {
            throw new ArithmeticException("on purpose");
        });
        handler.post(() -> {
            throw new AssertionError("on purpose, too");
        });
        Message first = manager.next();
        assertThatThrownBy(() -> manager.execute(first)).isInstanceOf(ArithmeticException.class);
        Message second = manager.next();
        assertThatThrownBy(() -> manager.execute(second))
                .isInstanceOf(AssertionError.class)
                .hasMessage("on purpose, too");
        manager.release();
        CompletableFuture<String> alive = new CompletableFuture<>();
        handler.post(() -> alive.complete("alive"));
        assertThat(alive.get()).isEqualTo("alive");
        thread.quit();
        thread.join();
    }

    @Test
    void aLooperThatHasQuitCannotBeHeld() throws Exception {
        HandlerThread thread =
                new HandlerThread("test", LooperOptions.defaults().withQueue(kind));
        thread.start();
        Looper looper = thread.getLooper();
        thread.quit();
        thread.join();
        assertThatThrownBy(() -> new TestLooperManager(looper)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aLooperThatQuitsBeforeItCanBeHeldIsReported() throws Exception {
        HandlerThread thread =
                new HandlerThread("test", LooperOptions.defaults().withQueue(kind));
        thread.start();
        Looper looper = thread.getLooper();
        Handler handler = new Handler(looper);
        CountDownLatch busy = new CountDownLatch(1);
        handler.post(() -> {
            busy.countDown();
            while (looper.getQueue().snapshot().isEmpty()) {
                Thread.onSpinWait();
            }
            looper.quit();
        });
        busy.await();
        assertThatThrownBy(() -> new TestLooperManager(looper)).isInstanceOf(IllegalStateException.class);
        thread.join();
    }
}

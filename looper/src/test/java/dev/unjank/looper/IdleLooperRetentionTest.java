package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** An idle looper keeps nothing alive. */
@ParameterizedClass
@EnumSource
class IdleLooperRetentionTest {
    @Parameter
    QueueKind kind;

    private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

    private HandlerThread start() {
        HandlerThread thread =
                new HandlerThread("test", LooperOptions.defaults().withQueue(kind));
        thread.start();
        return thread;
    }

    private void assertCollected(Reference<?> reference) throws InterruptedException {
        Reference<?> gone = null;
        for (int i = 0; i < 200 && gone == null; i++) {
            System.gc();
            gone = collected.remove(50);
        }
        assertThat(gone).isSameAs(reference);
    }

    private PhantomReference<Object> sendAndRun(Handler handler) throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(1);
        Message m = Message.obtain(handler, ran::countDown);
        PhantomReference<Object> reference = new PhantomReference<>(m, collected);
        handler.sendMessage(m);
        assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
        return reference;
    }

    @Test
    void anIdleLoopDoesNotRetainItsLastMessage() throws Exception {
        HandlerThread thread = start();
        assertCollected(sendAndRun(new Handler(thread.getLooper())));
        thread.quit();
        thread.join();
    }

    private PhantomReference<Object> sendAndRemove(Handler handler) {
        Object payload = new Object();
        handler.sendMessageDelayed(handler.obtainMessage(1, payload), 1_000_000);
        handler.removeMessages(1, payload);
        return new PhantomReference<>(payload, collected);
    }

    @Test
    void aRemovedPayloadIsFreedWhileTheLooperSleeps() throws Exception {
        HandlerThread thread = start();
        assertCollected(sendAndRemove(new Handler(thread.getLooper())));
        thread.quit();
        thread.join();
    }

    private PhantomReference<Object> sendAndQuit(Looper looper) {
        Handler handler = new Handler(looper);
        Object payload = new Object();
        handler.sendMessageDelayed(handler.obtainMessage(1, payload), 1_000_000);
        looper.quit();
        return new PhantomReference<>(payload, collected);
    }

    @Test
    void aQuitLooperRetainsNothing() throws Exception {
        HandlerThread thread = start();
        Looper looper = thread.getLooper();
        assertCollected(sendAndQuit(looper));
        thread.join();
        assertThat(looper.getQueue().isIdle()).isTrue(); // it was reachable all the time
    }
}

package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.unjank.looper.fixture.VirtualThreads;
import dev.unjank.looper.task.BlockingRunnable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Factories that break their contract: the start fails with an exception, and no loop is left behind. */
@ParameterizedClass
@EnumSource
class LooperStartTest {
    @Parameter
    QueueKind kind;

    private Looper start(ThreadFactory factory) {
        return Looper.start(factory, LooperOptions.defaults().withQueue(kind));
    }

    @Test
    void aThreadThatTheFactoryHasStartedIsRefusedAndItsLoopEnds() throws Exception {
        List<Thread> made = new ArrayList<>();
        assertThatIllegalStateException()
                .isThrownBy(() -> start(r -> {
                    Thread thread = new Thread(r, "eager");
                    made.add(thread);
                    thread.start();
                    while (thread.getState() != Thread.State.WAITING) { // for a message
                        Thread.onSpinWait();
                    }
                    return thread;
                }))
                .withMessageContaining("started the thread")
                .withMessageContaining("eager")
                .withCauseInstanceOf(IllegalThreadStateException.class);
        made.get(0).join(); // it is no loop that goes on
    }

    @Test
    void aThreadThatWasStartedButHasNotBegunMakesNoLooper() throws Exception {
        CountDownLatch begin = new CountDownLatch(1);
        AtomicReference<Looper> looper = new AtomicReference<>();
        List<Thread> made = new ArrayList<>();
        assertThatIllegalStateException()
                .isThrownBy(() -> start(r -> {
                    Thread thread = new Thread(() -> {
                        BlockingRunnable.uninterruptibly(() -> {
                            begin.await();
                            return null;
                        });
                        r.run();
                        looper.set(Looper.myLooper());
                    });
                    made.add(thread);
                    thread.start();
                    return thread;
                }));
        begin.countDown();
        made.get(0).join();
        assertThat(looper).hasNullValue();
    }

    @Test
    void aThreadThatDoesNotRunItsTaskIsReported() {
        assertThatIllegalStateException()
                .isThrownBy(() -> start(r -> new Thread(() -> {}, "idle")))
                .withMessageContaining("ended without running the task given to the factory")
                .withMessageContaining("idle");
    }

    @Test
    void aVirtualThreadThatDoesNotRunItsTaskIsReported() {
        ThreadFactory virtual = VirtualThreads.factory("virtual ");
        assertThatIllegalStateException()
                .isThrownBy(() -> start(r -> virtual.newThread(() -> {})))
                .withMessageContaining("ended without running");
    }

    @Test
    void aStartThatWasGivenUpMakesNoLooperLater() throws Exception {
        AtomicReference<Runnable> given = new AtomicReference<>();
        assertThatIllegalStateException()
                .isThrownBy(() -> start(r -> {
                    given.set(r);
                    return new Thread(() -> {});
                }));
        AtomicReference<Looper> looper = new AtomicReference<>();
        Thread late = new Thread(() -> {
            given.get().run();
            looper.set(Looper.myLooper());
        });
        late.start();
        late.join();
        assertThat(looper).hasNullValue();
    }

    @Test
    void anInterruptNeitherEndsTheWaitNorIsLost() throws Exception {
        Thread.currentThread().interrupt();
        Looper looper = start(r -> new Thread(r, "patient"));
        assertThat(Thread.interrupted()).isTrue();
        looper.quit();
        looper.getThread().join();

        Thread.currentThread().interrupt();
        assertThatIllegalStateException().isThrownBy(() -> start(r -> new Thread(() -> {})));
        assertThat(Thread.interrupted()).isTrue();
    }
}

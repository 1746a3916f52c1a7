package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.fixture.LogCapture;
import dev.unjank.looper.fixture.ManualLooper;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A looper on the thread of the test: it loops until what was posted before quits it. */
@ParameterizedClass
@EnumSource
class LooperTest {
    @Parameter
    QueueKind kind;

    private final List<String> log = new ArrayList<>();

    @AfterEach
    void forgetLoopers() {
        Looper.clearForTest();
    }

    private Handler prepare() {
        Looper.prepare(LooperOptions.defaults().withQueue(kind));
        return new Handler();
    }

    @Test
    void prepareBindsALooperToTheThread() {
        assertThat(Looper.myLooper()).isNull();
        assertThatThrownBy(Looper::myQueue).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(Looper::loop).isInstanceOf(IllegalStateException.class);
        prepare();
        Looper looper = Looper.myLooper();
        assertThat(looper).isNotNull();
        assertThat(looper.getThread()).isSameAs(Thread.currentThread());
        assertThat(looper.isCurrentThread()).isTrue();
        assertThat(Looper.myQueue()).isSameAs(looper.getQueue());
        assertThat(looper).asString().contains(Thread.currentThread().getName());
        assertThatThrownBy(Looper::prepare).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void loopRunsUntilQuit() {
        Handler handler = prepare();
        handler.post(() -> log.add("a"));
        long now = handler.queue.clock.uptimeMillis();
        handler.postAtTime(() -> Looper.myLooper().quit(), now + 2);
        handler.postAtTime(() -> log.add("b"), now + 1);
        Looper.loop();
        assertThat(log).containsExactly("a", "b");
    }

    @Test
    void loopAfterQuitReturns() {
        Handler handler = prepare();
        Looper.myLooper().quit();
        Looper.loop();
        assertThat(handler.post(() -> {})).isFalse();
        Looper.loop();
    }

    @Test
    void aNestedLoopRunsTheMessagesOfTheSameQueue() {
        Handler handler = prepare();
        handler.post(() -> {
            log.add("outer");
            Looper.loop();
            log.add("outer ends");
        });
        handler.post(() -> log.add("inner"));
        handler.post(() -> Looper.myLooper().quit());
        try (LogCapture capture = new LogCapture()) {
            Looper.loop();
            assertThat(capture.lines)
                    .singleElement()
                    .asString()
                    .startsWith("WARNING Looper.loop() inside a message of Looper (");
            Looper.loop(); // one after the other is no nesting
            assertThat(capture.lines).hasSize(1);
        }
        assertThat(log).containsExactly("outer", "inner", "outer ends");
    }

    @Test
    void aMessageOfAManualLooperCannotLoop() {
        ManualLooper hand = new ManualLooper(kind);
        hand.handler.post(Looper::loop);
        assertThatThrownBy(hand::runDue)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("driven manually")
                .hasMessageContaining("let the message end");
        hand.post("goes on");
        assertThat(hand.runDue()).containsExactly("goes on");
    }

    @Test
    void anExceptionLeavesLoopAndThenPostsReturnFalse() {
        Handler handler = prepare();
        handler.post(() -> {
            throw new ArithmeticException("on purpose");
        });
        Message waiting = handler.obtainMessage(1, "payload");
        handler.sendMessage(waiting);
        assertThatThrownBy(Looper::loop).isInstanceOf(ArithmeticException.class).hasMessage("on purpose");
        assertThat(handler.post(() -> {})).isFalse();
        assertThat(handler.hasMessages(1)).isFalse();
        assertThat(waiting.obj).isNull();
        Looper.loop(); // returns at once
        assertThat(log).isEmpty();
    }

    @Test
    void theInterruptFlagIsClearedAfterEachMessage() {
        Handler handler = prepare();
        handler.post(() -> Thread.currentThread().interrupt());
        handler.post(() -> log.add("interrupted: " + Thread.currentThread().isInterrupted()));
        handler.post(() -> Looper.myLooper().quit());
        Looper.loop();
        assertThat(log).containsExactly("interrupted: false");
    }

    @Test
    void anInterruptDoesNotBreakThePollAndIsSeenByTheNextMessage() {
        Handler handler = prepare();
        handler.postDelayed(
                () -> {
                    log.add("interrupted: " + Thread.currentThread().isInterrupted());
                    Looper.myLooper().quit();
                },
                20);
        Thread.currentThread().interrupt();
        Looper.loop();
        assertThat(log).containsExactly("interrupted: true");
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void messageLoggingPrintsBeforeAndAfter() {
        Handler handler = prepare();
        Looper looper = Looper.myLooper();
        looper.setMessageLogging(log::add);
        Runnable quit = looper::quit;
        handler.sendEmptyMessage(42);
        handler.post(quit);
        Looper.loop();
        assertThat(log)
                .containsExactly(
                        ">>>>> Dispatching to " + handler + " null: 42",
                        "<<<<< Finished to " + handler + " null",
                        ">>>>> Dispatching to " + handler + " " + quit + ": 0",
                        "<<<<< Finished to " + handler + " " + quit);
        looper.setMessageLogging(null);
    }

    @Test
    void theMainLooperCannotBeQuit() {
        assertThat(Looper.getMainLooper()).isNull();
        Looper.prepareMainLooper();
        Looper looper = Looper.getMainLooper();
        assertThat(looper).isSameAs(Looper.myLooper());
        assertThatThrownBy(looper::quit)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Main thread not allowed to quit.");
        assertThatThrownBy(looper::quitSafely).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(Looper::prepareMainLooper)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The main Looper has already been prepared.");
    }

    @Test
    void aMainLooperCannotBePreparedOnAThreadThatHasOne() {
        prepare();
        assertThatThrownBy(Looper::prepareMainLooper).isInstanceOf(IllegalStateException.class);
        assertThat(Looper.getMainLooper()).isNull();
    }

    @Test
    void aManualLooperIsNotBoundToTheThread() {
        Looper looper = Looper.create(LooperOptions.defaults().withQueue(kind));
        assertThat(Looper.myLooper()).isNull();
        TestLooperManager manager = new TestLooperManager(looper);
        new Handler(looper).post(() -> log.add("mine: " + (Looper.myLooper() == looper)));
        manager.execute(manager.next());
        assertThat(log).containsExactly("mine: true");
        assertThat(Looper.myLooper()).isNull();
    }

    @Test
    void aMainLooperSetForATestCanBeQuitAndForgotten() {
        Handler handler = prepare();
        Looper.setMainLooperForTest(handler.getLooper());
        assertThat(Looper.getMainLooper()).isSameAs(handler.getLooper());
        assertThatThrownBy(Looper::prepareMainLooper).isInstanceOf(IllegalStateException.class);
        Looper.getMainLooper().quit();
        Looper.clearMainLooperForTest();
        assertThat(Looper.getMainLooper()).isNull();
        assertThatThrownBy(() -> Looper.setMainLooperForTest(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void getMainIsOneHandlerOfTheMainLooper() {
        assertThatThrownBy(Handler::getMain).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> Handler.mainIfNull(null)).isInstanceOf(IllegalStateException.class);
        Handler own = prepare();
        Looper.setMainLooperForTest(own.getLooper());
        assertThat(Handler.getMain().getLooper()).isSameAs(own.getLooper());
        assertThat(Handler.getMain()).isSameAs(Handler.getMain());
        assertThat(Handler.mainIfNull(null)).isSameAs(Handler.getMain());
        assertThat(Handler.mainIfNull(own)).isSameAs(own);
    }

    @Test
    void getMainFollowsTheMainLooper() {
        Looper first = Looper.create(LooperOptions.defaults().withQueue(kind));
        Looper second = Looper.create(LooperOptions.defaults().withQueue(kind));
        Looper.setMainLooperForTest(first);
        assertThat(Handler.getMain().getLooper()).isSameAs(first);
        Looper.setMainLooperForTest(second);
        assertThat(Handler.getMain().getLooper()).isSameAs(second);
    }
}

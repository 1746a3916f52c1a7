package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.fixture.LogCapture;
import dev.unjank.looper.fixture.ManualLooper;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The logs and the printed lines of deliveries, like Android's. */
@ParameterizedClass
@EnumSource
class SlowLogTest {
    @Parameter
    QueueKind kind;

    private ManualLooper loop;
    private LogCapture capture;
    private final List<String> seen = new ArrayList<>();

    @BeforeEach
    void makeLooper() {
        loop = new ManualLooper(kind);
        capture = new LogCapture();
    }

    @AfterEach
    void close() {
        Looper.setObserver(null);
        capture.close();
    }

    /** Sends a message that begins late and takes its time, both in milliseconds. */
    private void deliver(int late, int takes) {
        Handler handler = new Handler(loop.looper, m -> {
            loop.clock.advanceMillis(takes);
            return true;
        });
        handler.sendEmptyMessage(7);
        loop.clock.advanceMillis(late);
        loop.runDue();
    }

    @Test
    void aDeliveryThatRunsTooLongIsLoggedWithItsHandlerAndCode() {
        loop.looper.setSlowLogThresholdMs(100, 0);
        deliver(500, 99);
        assertThat(capture.lines).isEmpty();
        deliver(0, 100);
        assertThat(capture.lines).hasSize(1);
        assertThat(capture.lines.get(0))
                .startsWith("WARNING Slow message on " + Thread.currentThread().getName()
                        + ": began 0 ns late, ran for 100 ms: Handler (dev.unjank.looper.Handler) {")
                .endsWith("}, what=7");
    }

    @Test
    void theFirstLateDeliveryOfABacklogIsLoggedAndTheNextAfterItHasBeenOnTime() {
        loop.looper.setSlowLogThresholdMs(0, 50);
        deliver(49, 500);
        assertThat(capture.lines).isEmpty();
        deliver(50, 1);
        assertThat(capture.lines).hasSize(1);
        assertThat(capture.lines.get(0)).contains("began 50 ms late, ran for 1 ms");
        deliver(60, 1);
        deliver(11, 1);
        deliver(60, 1);
        assertThat(capture.lines).hasSize(1);
        deliver(10, 1);
        deliver(60, 1);
        assertThat(capture.lines).hasSize(2);
    }

    @Test
    void thresholdsOfZeroSwitchItOff() {
        loop.looper.setSlowLogThresholdMs(100, 50);
        loop.looper.setSlowLogThresholdMs(0, 0);
        deliver(500, 500);
        assertThat(capture.lines).isEmpty();
        assertThat(loop.queue.observers()).isNull();
    }

    @Test
    void aMessageThatThrowsGetsNoFinishedLine() {
        loop.looper.setMessageLogging(seen::add);
        loop.handler.post(() -> {
            throw new ArithmeticException("on purpose");
        });
        assertThatThrownBy(loop::runDue).isInstanceOf(ArithmeticException.class);
        assertThat(seen).hasSize(1).first().asString().startsWith(">>>>> Dispatching to ");
    }

    @Test
    void theNextPrinterReplacesTheOneBefore() {
        loop.looper.setMessageLogging(line -> seen.add("first"));
        loop.looper.setMessageLogging(line -> seen.add("second"));
        loop.handler.sendEmptyMessage(7);
        loop.runDue();
        assertThat(seen).containsExactly("second", "second");
        loop.looper.setMessageLogging(null);
        assertThat(loop.queue.observers()).isNull();
    }

    @Test
    void aPrinterThatThrowsIsLoggedOnceAndDoesNotEndTheLoop() {
        loop.looper.setMessageLogging(line -> {
            throw new IllegalStateException("on purpose");
        });
        loop.handler.sendEmptyMessage(7);
        loop.handler.sendEmptyMessage(8);
        loop.runDue();
        assertThat(loop.log).containsExactly("7", "8");
        assertThat(capture.lines).hasSize(1);
    }

    private class TokenObserver implements Looper.Observer {
        private int starts;

        @Override
        public Object messageDispatchStarting() {
            seen.add("starting");
            return ++starts;
        }

        @Override
        public void messageDispatched(Object token, Message msg) {
            seen.add("dispatched " + token + " " + msg.what);
        }

        @Override
        public void dispatchingThrewException(Object token, Message msg, Throwable exception) {
            seen.add("threw " + token + " " + exception.getMessage());
        }
    }

    @Test
    void theStaticObserverSeesLoopersThatAreAndThatAreToCome() {
        Looper.setObserver(new TokenObserver());
        ManualLooper another = new ManualLooper(kind);
        loop.handler.sendEmptyMessage(7);
        another.handler.sendEmptyMessage(8);
        loop.runDue();
        another.runDue();
        assertThat(seen).containsExactly("starting", "dispatched 1 7", "starting", "dispatched 2 8");
        Looper.setObserver(null);
        assertThat(loop.queue.observers()).isNull();
        assertThat(another.queue.observers()).isNull();
        assertThat(new ManualLooper(kind).queue.observers()).isNull();
    }

    @Test
    void theStaticObserverSeesExceptions() {
        Looper.setObserver(new TokenObserver());
        loop.handler.post(() -> {
            throw new ArithmeticException("on purpose");
        });
        assertThatThrownBy(loop::runDue).isInstanceOf(ArithmeticException.class);
        assertThat(seen).containsExactly("starting", "threw 1 on purpose");
    }
}

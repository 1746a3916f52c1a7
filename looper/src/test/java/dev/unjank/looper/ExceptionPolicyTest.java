package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.fixture.LogCapture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a loop does after an exception. */
@ParameterizedClass
@EnumSource
class ExceptionPolicyTest {
    @Parameter
    QueueKind kind;

    private final List<String> log = new ArrayList<>();
    private final Thread.UncaughtExceptionHandler own = Thread.currentThread().getUncaughtExceptionHandler();

    @AfterEach
    void forgetLoopers() {
        Looper.clearForTest();
        Thread.currentThread().setUncaughtExceptionHandler(own);
    }

    private Handler prepare(ExceptionPolicy policy) {
        Looper.prepare(LooperOptions.defaults().withQueue(kind).withExceptionPolicy(policy));
        Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> log.add("reported: " + e.getMessage()));
        return new Handler();
    }

    /** Throws an exception as Kotlin does, without declaring it. */
    @SuppressWarnings("unchecked")
    static <T extends Throwable> void throwing(Throwable thrown) throws T {
        throw (T) thrown;
    }

    private static Runnable failing(Throwable thrown) {
        return () -> ExceptionPolicyTest.<RuntimeException>throwing(thrown);
    }

    @Test
    void aLoopReportsAndContinues() {
        Handler handler = prepare(ExceptionPolicy.REPORT_AND_CONTINUE);
        Message failed = Message.obtain(handler, failing(new IllegalStateException("unchecked")));
        handler.sendMessage(failed);
        handler.post(failing(new IOException("checked")));
        handler.post(failing(new AssertionError("error")));
        handler.post(() -> {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted");
        });
        handler.post(() ->
                log.add("continues, interrupted: " + Thread.currentThread().isInterrupted()));
        handler.post(() -> log.add("accepts: " + handler.post(() -> {})));
        handler.post(() -> {
            Looper.myLooper().quit();
            throw new IllegalStateException("last");
        });
        Looper.loop();
        assertThat(log)
                .containsExactly(
                        "reported: unchecked",
                        "reported: checked",
                        "reported: error",
                        "reported: interrupted",
                        "continues, interrupted: false",
                        "accepts: true",
                        "reported: last");
        assertThat(handler.post(() -> {})).isFalse();
        assertThat(failed.callback).isNull();
    }

    @Test
    void byDefaultTheLoopEnds() {
        assertThat(LooperOptions.defaults().exceptionPolicy).isEqualTo(ExceptionPolicy.QUIT);
        Handler handler = prepare(ExceptionPolicy.QUIT);
        handler.post(failing(new IOException("checked")));
        assertThatThrownBy(Looper::loop).isInstanceOf(IOException.class);
        assertThat(handler.post(() -> {})).isFalse();
        assertThat(log).isEmpty();
    }

    @Test
    void aNestedLoopContinuesItself() {
        Handler handler = prepare(ExceptionPolicy.REPORT_AND_CONTINUE);
        handler.post(() -> {
            Looper.loop();
            log.add("outer ends");
        });
        handler.post(failing(new IllegalStateException("inner")));
        handler.post(() -> log.add("in the inner loop"));
        handler.post(() -> Looper.myLooper().quit());
        try (LogCapture capture = new LogCapture()) {
            Looper.loop();
            assertThat(capture.lines).singleElement().asString().contains("inside a message");
        }
        assertThat(log).containsExactly("reported: inner", "in the inner loop", "outer ends");
    }

    @Test
    void anExceptionOfTheReportIsLogged() {
        Handler handler = prepare(ExceptionPolicy.REPORT_AND_CONTINUE);
        Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> {
            throw new IllegalStateException("the report fails");
        });
        handler.post(failing(new IllegalStateException("on purpose")));
        handler.post(() -> Looper.myLooper().quit());
        try (LogCapture capture = new LogCapture()) {
            Looper.loop();
            assertThat(capture.lines)
                    .singleElement()
                    .asString()
                    .contains("uncaught exception handler")
                    .contains("failed");
        }
    }

    @Test
    void observersSeeTheException() {
        Handler handler = prepare(ExceptionPolicy.REPORT_AND_CONTINUE);
        Looper.myLooper().addObserver(new MessageObserver() {
            @Override
            public void finished(Message message, Object note, Throwable thrown) {
                log.add("finished: " + thrown);
            }
        });
        handler.post(failing(new IllegalStateException("x")));
        handler.post(() -> Looper.myLooper().quit());
        Looper.loop();
        assertThat(log)
                .containsExactly("finished: java.lang.IllegalStateException: x", "reported: x", "finished: null");
    }

    @Test
    void aListenerOfAChannelThatThrowsIsReportedAndRemoved() throws IOException {
        Handler handler = prepare(ExceptionPolicy.REPORT_AND_CONTINUE);
        Pipe pipe = Pipe.open();
        try (var source = pipe.source();
                var sink = pipe.sink()) {
            source.configureBlocking(false);
            sink.write(ByteBuffer.wrap(new byte[1])); // stays ready
            Looper.myQueue().addOnChannelEventListener(source, SelectionKey.OP_READ, (channel, ops) -> {
                handler.postDelayed(() -> Looper.myLooper().quit(), 20);
                throw new IllegalStateException("listener");
            });
            Looper.loop();
        }
        assertThat(log).containsExactly("reported: listener");
    }

    @Test
    void aManuallyDrivenLooperThrows() {
        LooperOptions options =
                LooperOptions.defaults().withQueue(kind).withExceptionPolicy(ExceptionPolicy.REPORT_AND_CONTINUE);
        Looper looper = Looper.create(options);
        TestLooperManager manager = new TestLooperManager(looper);
        new Handler(looper).post(failing(new IllegalStateException("on purpose")));
        assertThatThrownBy(() -> manager.execute(manager.poll())).hasMessage("on purpose");
        manager.release();
    }
}

package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.fixture.ManualLooper;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The calls of observers, and that observers cannot break a looper. */
@ParameterizedClass
@EnumSource
class ObserverTest {
    @Parameter
    QueueKind kind;

    private ManualLooper loop;
    private final List<String> seen = new ArrayList<>();

    @BeforeEach
    void makeLooper() {
        loop = new ManualLooper(kind);
    }

    /** Logs what it sees; its notes are its name and a number. */
    private class Recorder implements MessageObserver {
        private final String name;
        private int notes;

        Recorder(String name) {
            this.name = name;
        }

        @Override
        public Object sending(Message message) {
            seen.add(name + " sending " + message.what);
            return name + ++notes;
        }

        @Override
        public Object starting(Message message, Object note) {
            seen.add(name + " starting " + message.what + " " + note);
            return note;
        }

        @Override
        public void finished(Message message, Object note, Throwable thrown) {
            seen.add(name + " finished " + message.what + " " + note + (thrown == null ? "" : " " + thrown));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private Recorder observe(String name) {
        Recorder recorder = new Recorder(name);
        loop.looper.addObserver(recorder);
        return recorder;
    }

    @Test
    void aMessageIsSeenWhenItIsSentAndBeforeAndAfterItsDelivery() {
        observe("a");
        loop.handler.sendEmptyMessageDelayed(7, 5);
        assertThat(seen).containsExactly("a sending 7");
        loop.clock.advanceMillis(5);
        loop.runDue();
        assertThat(seen).containsExactly("a sending 7", "a starting 7 a1", "a finished 7 a1");
    }

    @Test
    void handlerTimeAndPayloadAreSetWhenAMessageIsSeenSending() {
        loop.looper.addObserver(new MessageObserver() {
            @Override
            public Object sending(Message message) {
                seen.add(message.getTarget() + " " + message.getWhen() + " " + message.obj);
                return null;
            }
        });
        loop.handler.sendMessageAtTime(loop.handler.obtainMessage(1, "payload"), loop.now() + 9);
        assertThat(seen).containsExactly(loop.handler + " " + (loop.now() + 9) + " payload");
    }

    @Test
    void severalObserversEachHaveTheirOwnNoteAndAreNested() {
        observe("a");
        observe("b");
        loop.handler.sendEmptyMessage(7);
        seen.clear();
        loop.runDue();
        assertThat(seen).containsExactly("a starting 7 a1", "b starting 7 b1", "b finished 7 b1", "a finished 7 a1");
    }

    @Test
    void whatStartingReturnsIsWhatFinishedIsGiven() {
        loop.looper.addObserver(new MessageObserver() {
            @Override
            public Object starting(Message message, Object note) {
                return "from starting";
            }

            @Override
            public void finished(Message message, Object note, Throwable thrown) {
                seen.add(String.valueOf(note));
            }
        });
        loop.handler.sendEmptyMessage(7);
        loop.runDue();
        assertThat(seen).containsExactly("from starting");
    }

    @Test
    void anObserverAddedWhileMessagesWaitSeesThemWithoutNote() {
        observe("a");
        loop.handler.sendEmptyMessage(7);
        observe("b");
        seen.clear();
        loop.runDue();
        assertThat(seen)
                .containsExactly("a starting 7 a1", "b starting 7 null", "b finished 7 null", "a finished 7 a1");
    }

    @Test
    void anObserverDoesNotGetTheNoteOfAnotherOneThatWasRemoved() {
        Recorder a = observe("a");
        loop.handler.sendEmptyMessage(7);
        loop.looper.removeObserver(a);
        observe("b");
        seen.clear();
        loop.runDue();
        assertThat(seen).containsExactly("b starting 7 null", "b finished 7 null");
    }

    @Test
    void aRemovedObserverSeesNothingMore() {
        Recorder a = observe("a");
        Recorder b = observe("b");
        loop.looper.removeObserver(a);
        loop.looper.removeObserver(a);
        loop.looper.removeObserver(b);
        loop.handler.sendEmptyMessage(7);
        loop.runDue();
        assertThat(seen).isEmpty();
        assertThat(loop.queue.observers()).isNull();
    }

    @Test
    void anObserverRemovedDuringADeliveryStillSeesItsEnd() {
        Recorder a = observe("a");
        loop.handler.post(() -> loop.looper.removeObserver(a));
        loop.handler.sendEmptyMessage(7);
        seen.clear();
        loop.runDue();
        assertThat(seen).containsExactly("a starting 0 a1", "a finished 0 a1");
    }

    @Test
    void anObserverIsAddedOnce() {
        Recorder a = observe("a");
        loop.looper.addObserver(a);
        loop.handler.sendEmptyMessage(7);
        assertThat(seen).containsExactly("a sending 7");
    }

    @Test
    void theExceptionOfAMessageIsSeenAndGoesOn() {
        observe("a");
        observe("b");
        loop.handler.post(() -> {
            throw new ArithmeticException("on purpose");
        });
        seen.clear();
        assertThatThrownBy(loop::runDue).isInstanceOf(ArithmeticException.class);
        assertThat(seen)
                .containsExactly(
                        "a starting 0 a1",
                        "b starting 0 b1",
                        "b finished 0 b1 java.lang.ArithmeticException: on purpose",
                        "a finished 0 a1 java.lang.ArithmeticException: on purpose");
    }

    @Test
    void anObserverThatThrowsIsRemovedAndDisturbsNoOther() {
        observe("a");
        loop.looper.addObserver(new MessageObserver() {
            @Override
            public Object sending(Message message) {
                throw new IllegalStateException("sending, on purpose");
            }
        });
        loop.looper.addObserver(new MessageObserver() {
            @Override
            public Object starting(Message message, Object note) {
                throw new StackOverflowError("starting, on purpose");
            }

            @Override
            public void finished(Message message, Object note, Throwable thrown) {
                seen.add("finished without having started");
            }
        });
        loop.looper.addObserver(new MessageObserver() {
            @Override
            public void finished(Message message, Object note, Throwable thrown) {
                throw new IllegalStateException("finished, on purpose");
            }
        });
        observe("b");
        for (int i = 0; i < 2; i++) {
            seen.clear();
            assertThat(loop.handler.sendEmptyMessage(7)).isTrue();
            loop.runDue();
            assertThat(seen).hasSize(6).first().isEqualTo("a sending 7");
        }
        assertThat(loop.log).containsExactly("7", "7");
    }

    @Test
    void anObserverThatThrowsDoesNotHideTheExceptionOfAMessage() {
        loop.looper.addObserver(new MessageObserver() {
            @Override
            public void finished(Message message, Object note, Throwable thrown) {
                throw new IllegalStateException("finished, on purpose");
            }
        });
        loop.handler.post(() -> {
            throw new ArithmeticException("of the message");
        });
        assertThatThrownBy(loop::runDue).isInstanceOf(ArithmeticException.class);
        assertThat(loop.queue.observers()).isNull();
    }

    @Test
    void messagesRunInsideAMessageAreSeenInside() {
        observe("a");
        loop.handler.post(() -> {
            loop.handler.sendEmptyMessage(7);
            Message inner = loop.manager.poll();
            loop.manager.execute(inner);
            loop.manager.recycle(inner);
        });
        loop.runDue();
        assertThat(seen)
                .containsExactly(
                        "a sending 0",
                        "a starting 0 a1",
                        "a sending 7",
                        "a starting 7 a2",
                        "a finished 7 a2",
                        "a finished 0 a1");
    }

    @Test
    void theNoteGoesWithTheMessage() {
        observe("a");
        Message delivered = loop.handler.obtainMessage(1);
        Message removed = loop.handler.obtainMessage(2);
        Message refused = loop.handler.obtainMessage(3);
        loop.handler.sendMessage(delivered);
        loop.handler.sendMessage(removed);
        assertThat(removed.note).isNotNull();
        loop.handler.removeMessages(2);
        assertThat(removed.note).isNull();
        loop.runDue();
        assertThat(delivered.note).isNull();
        loop.looper.quit();
        loop.handler.sendMessage(refused);
        assertThat(seen).contains("a sending 3");
        assertThat(refused.note).isNull();
    }
}

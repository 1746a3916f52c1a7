package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.fixture.ManualLooper;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** When idle handlers are called. */
@ParameterizedClass
@EnumSource
class IdleHandlerTest {
    @Parameter
    QueueKind kind;

    private ManualLooper hand;

    @BeforeEach
    void prepare() {
        hand = new ManualLooper(kind);
    }

    private void idle(String name, boolean keep) {
        hand.queue.addIdleHandler(() -> {
            hand.log.add(name);
            return keep;
        });
    }

    @Test
    void calledWhenNothingIsDueAndBeforeSleeping() {
        idle("idle", true);
        hand.post("a");
        hand.post("b");
        hand.handler.postDelayed(hand.log("later"), 10);
        assertThat(hand.runUntil(4)).containsExactly("a", "b", "idle", "later");
        assertThat(hand.now()).isEqualTo(1_010);
    }

    @Test
    void calledAtMostOnceInAPause() {
        idle("idle", true);
        hand.postAt("later", 1_100);
        hand.waker.whileAsleep(() -> hand.postAt("sooner", 1_050));
        assertThat(hand.runUntil(2)).containsExactly("idle", "sooner");
        assertThat(hand.waker.sleeps).isEqualTo(2);
    }

    @Test
    void calledAgainInTheNextPause() {
        idle("idle", true);
        hand.postAt("a", 1_010);
        hand.postAt("b", 1_020);
        assertThat(hand.runUntil(4)).containsExactly("idle", "a", "idle", "b");
    }

    @Test
    void falseRemovesTheHandlerAndTrueKeepsIt() {
        idle("once", false);
        idle("always", true);
        hand.postAt("a", 1_010);
        hand.postAt("b", 1_020);
        assertThat(hand.runUntil(5)).containsExactly("once", "always", "a", "always", "b");
    }

    @Test
    void whatItPostsRunsWithoutSleep() {
        hand.queue.addIdleHandler(() -> !hand.post("posted"));
        assertThat(hand.runUntil(1)).containsExactly("posted");
        assertThat(hand.waker.sleeps).isZero();
    }

    @Test
    void addingOneToABlockedLoopDoesNotCallIt() {
        hand.postAt("a", 1_010);
        hand.waker.whileAsleep(() -> idle("idle", true));
        hand.postAt("b", 1_020);
        assertThat(hand.runUntil(3)).containsExactly("a", "idle", "b");
        assertThat(hand.waker.wakes).isZero();
    }

    @Test
    void postingOnlyADelayedMessageDoesNotCallIt() {
        idle("idle", true);
        hand.waker.whileAsleep(() -> hand.postAt("a", 1_030));
        assertThat(hand.runUntil(2)).containsExactly("idle", "a");
    }

    @Test
    void anExceptionIsLoggedAndRemovesTheHandlerAndDoesNotStopTheLoop() {
        hand.queue.addIdleHandler(() -> {
            hand.log.add("failing");
            throw new IllegalArgumentException("on purpose");
        });
        idle("sound", true);
        hand.postAt("a", 1_010);
        hand.postAt("b", 1_020);
        List<LogRecord> records = logged(() -> hand.runUntil(5));
        assertThat(hand.log).containsExactly("failing", "sound", "a", "sound", "b");
        assertThat(records).singleElement().satisfies(r -> {
            assertThat(r.getLevel()).isEqualTo(Level.SEVERE);
            assertThat(r.getThrown()).hasMessage("on purpose");
        });
    }

    @Test
    void anyThrowableIsLoggedAndRemovesTheHandler() {
        for (Throwable thrown : List.of(new Exception("checked"), new StackOverflowError("error"))) {
            hand.queue.addIdleHandler(new MessageQueue.IdleHandler() {
                @Override
                public boolean queueIdle() {
                    ExceptionPolicyTest.<RuntimeException>throwing(thrown);
                    return true;
                }

                @Override
                public String toString() {
                    throw new IllegalStateException("toString fails as well");
                }
            });
        }
        idle("sound", true);
        hand.postAt("a", 1_010);
        hand.postAt("b", 1_020);
        List<LogRecord> records = logged(() -> hand.runUntil(4));
        assertThat(hand.log).containsExactly("sound", "a", "sound", "b");
        assertThat(records).extracting(r -> r.getThrown().getMessage()).containsExactly("checked", "error");
    }

    /** What goes to the log meanwhile, instead of to the console. */
    private static List<LogRecord> logged(Runnable action) {
        List<LogRecord> records = new ArrayList<>();
        Logger logger = Logger.getLogger("dev.unjank.looper");
        java.util.logging.Handler collector = new java.util.logging.Handler() {
            @Override
            public void publish(LogRecord record) {
                records.add(record);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.setUseParentHandlers(false);
        logger.addHandler(collector);
        try {
            action.run();
        } finally {
            logger.removeHandler(collector);
            logger.setUseParentHandlers(true);
        }
        return records;
    }

    @Test
    void aRemovedOneIsNotCalled() {
        MessageQueue.IdleHandler removed = () -> hand.log.add("removed");
        hand.queue.addIdleHandler(removed);
        hand.queue.removeIdleHandler(removed);
        hand.queue.removeIdleHandler(removed);
        hand.postAt("a", 1_010);
        assertThat(hand.runUntil(1)).containsExactly("a");
    }

    @Test
    void nullIsRefused() {
        assertThatThrownBy(() -> hand.queue.addIdleHandler(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void notCalledByPoll() {
        idle("idle", true);
        assertThat(hand.runDue()).isEmpty();
    }

    @Test
    void notCalledOnTheWayOut() {
        idle("idle", true);
        hand.looper.quit();
        assertThat(hand.manager.next()).isNull();
        assertThat(hand.log).isEmpty();
    }

    @Test
    void isIdleIsFalseIfAMessageIsDue() {
        assertThat(hand.queue.isIdle()).isTrue();
        hand.postAt("later", 1_010);
        assertThat(hand.queue.isIdle()).isTrue();
        hand.clock.advanceMillis(10);
        assertThat(hand.queue.isIdle()).isFalse();
        hand.runDue();
        assertThat(hand.queue.isIdle()).isTrue();
    }
}

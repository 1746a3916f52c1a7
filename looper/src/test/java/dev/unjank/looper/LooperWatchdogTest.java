package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.fixture.LogCapture;
import dev.unjank.looper.fixture.ManualLooper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Reports of a watchdog with a bound of 100 ms, on a manual clock. */
@ParameterizedClass
@EnumSource
class LooperWatchdogTest {
    private static final long MS = 1_000_000L;

    @Parameter
    QueueKind kind;

    private ManualLooper loop;
    private LooperWatchdog watchdog;
    private final List<LooperStall> stalls = new ArrayList<>();

    @BeforeEach
    void makeLooper() {
        loop = new ManualLooper(kind);
        watchdog = new LooperWatchdog(Duration.ofMillis(100), stalls::add);
        watchdog.watch(loop.looper);
    }

    /** In a delivery: time passes, and then the watchdog checks. */
    private Runnable takes(long millis) {
        return () -> {
            loop.clock.advanceMillis(millis);
            watchdog.check();
        };
    }

    @Test
    void aDeliveryWithinTheBoundIsNoStall() {
        loop.handler.post(takes(100));
        loop.runDue();
        watchdog.check();
        assertThat(stalls).isEmpty();
    }

    @Test
    void aDeliveryBeyondTheBoundIsReportedOnceAndItsEndOnce() {
        Runnable slow = () -> {
            takes(101).run();
            takes(200).run();
        };
        loop.handler.post(slow);
        loop.runDue();
        watchdog.check();
        watchdog.check();
        assertThat(stalls).hasSize(2);
        LooperStall begin = stalls.get(0);
        assertThat(begin.kind()).isEqualTo(LooperStall.Kind.DELIVERY);
        assertThat(begin.looper()).isSameAs(loop.looper);
        assertThat(begin.over()).isFalse();
        assertThat(begin.nanos()).isEqualTo(101 * MS);
        assertThat(begin.cause())
                .isEqualTo(loop.handler + ", callback " + slow.getClass().getName() + ", sent by "
                        + Thread.currentThread().getName());
        LooperStall end = stalls.get(1);
        assertThat(end.over()).isTrue();
        assertThat(end.nanos()).isEqualTo(301 * MS);
        assertThat(end.threads()).isEmpty();
        assertThat(end)
                .asString()
                .contains("is no longer stalled by a delivery, after 301 ms: ")
                .doesNotContain("\n");
    }

    @Test
    void aBoundWithoutEndReportsNothing() {
        try (LooperWatchdog patient = new LooperWatchdog(Duration.ofSeconds(Long.MAX_VALUE), stalls::add)) {
            watchdog.close();
            patient.watch(loop.looper);
            loop.queue.postSyncBarrier();
            loop.post("waits");
            loop.clock.advanceMillis(Long.MAX_VALUE / 2_000_000);
            patient.check();
            assertThat(stalls).isEmpty();
        }
    }

    @Test
    void theReportHasTheStackOfTheLooper() {
        loop.handler.post(takes(101));
        loop.runDue();
        ThreadSnapshot picture = stalls.get(0).threads().get(0);
        assertThat(picture.name()).isEqualTo(Thread.currentThread().getName());
        assertThat(picture.state()).isEqualTo(Thread.State.RUNNABLE);
        assertThat(picture.stack()).anyMatch(f -> f.getMethodName().contains("theReportHasTheStackOfTheLooper"));
        assertThat(stalls.get(0)).asString().contains("thread " + picture.name() + " is RUNNABLE\n    at ");
    }

    @Test
    void whatWaitsBehindAStalledDeliveryIsCountedThereAndIsNoStallOfItsOwn() {
        loop.handler.post(takes(500));
        loop.post("a");
        loop.post("b");
        Message slow = loop.manager.poll();
        loop.manager.execute(slow);
        watchdog.check();
        assertThat(stalls).hasSize(2);
        assertThat(stalls.get(0).cause()).endsWith("; 2 more are due");
        loop.runDue();
        watchdog.check();
        assertThat(stalls).hasSize(2);
    }

    @Test
    void theEndIsReportedAlsoIfTheMessageThrows() {
        loop.handler.post(() -> {
            takes(101).run();
            throw new ArithmeticException("on purpose");
        });
        assertThatThrownBy(loop::runDue).isInstanceOf(ArithmeticException.class);
        watchdog.check();
        assertThat(stalls).extracting(LooperStall::over).containsExactly(false, true);
    }

    @Test
    void aDeliveryInsideAnotherIsTheOneThatIsReported() {
        loop.handler.post(() -> {
            loop.clock.advanceMillis(50);
            loop.handler.sendEmptyMessage(7);
            Handler inner = new Handler(loop.looper, m -> {
                takes(60).run(); // the outer one takes 110 ms by now, the inner one 60
                takes(60).run();
                return true;
            });
            inner.sendEmptyMessage(8);
            loop.runDue();
        });
        loop.runDue();
        watchdog.check();
        assertThat(stalls).extracting(LooperStall::over).containsExactly(false, true);
        assertThat(stalls.get(0).cause()).contains("what=8");
    }

    @Test
    void aBacklogIsReportedWithItsMostFrequentSender() {
        for (int i = 0; i < 30; i++) {
            loop.handler.sendEmptyMessage(7);
        }
        loop.handler.sendEmptyMessage(8);
        loop.postAt("later", loop.now() + 10_000);
        loop.clock.advanceMillis(101);
        watchdog.check();
        watchdog.check();
        assertThat(stalls).hasSize(1);
        assertThat(stalls.get(0).kind()).isEqualTo(LooperStall.Kind.BACKLOG);
        assertThat(stalls.get(0).nanos()).isEqualTo(101 * MS);
        assertThat(stalls.get(0).cause())
                .isEqualTo("31 due, 30 of 31 examined are " + loop.handler + ", what=7, sent by "
                        + Thread.currentThread().getName());
        assertThat(stalls.get(0).threads()).isNotEmpty();
        loop.clock.advanceMillis(50);
        loop.runDue();
        watchdog.check();
        assertThat(stalls).hasSize(2);
        assertThat(stalls.get(1).over()).isTrue();
        assertThat(stalls.get(1).nanos()).isEqualTo(151 * MS);
    }

    @Test
    void aSampleOfABacklogIsEnough() {
        for (int i = 0; i < 1_500; i++) {
            loop.handler.sendEmptyMessage(7);
        }
        loop.clock.advanceMillis(101);
        watchdog.check();
        assertThat(stalls.get(0).cause()).startsWith("1500 due, 1000 of 1000 examined are ");
    }

    @Test
    void aBarrierThatStaysTooLongIsReportedWithItsPoster() {
        int token = loop.queue.postSyncBarrier();
        loop.post("held up");
        loop.clock.advanceMillis(100);
        watchdog.check();
        assertThat(stalls).isEmpty();
        loop.clock.advanceMillis(1);
        watchdog.check();
        watchdog.check();
        assertThat(stalls).hasSize(1);
        LooperStall stall = stalls.get(0);
        assertThat(stall.kind()).isEqualTo(LooperStall.Kind.BARRIER);
        assertThat(stall.nanos()).isEqualTo(101 * MS);
        assertThat(stall.cause()).isEqualTo("token " + token + ", 1 due");
        assertThat(stall.postedAt().get(0).getMethodName())
                .isEqualTo("aBarrierThatStaysTooLongIsReportedWithItsPoster");
        assertThat(stall).asString().contains("\n  posted\n    at ");
        loop.queue.removeSyncBarrier(token);
        watchdog.check();
        assertThat(stalls).hasSize(2);
        assertThat(stalls.get(1).over()).isTrue();
    }

    @Test
    void aBarrierPostedBeforeTheWatchdogIsReportedAsSuch() {
        ManualLooper other = new ManualLooper(kind);
        other.queue.postSyncBarrier();
        watchdog.watch(other.looper);
        other.clock.advanceMillis(101);
        watchdog.check();
        assertThat(stalls.get(0).postedAt()).isEmpty();
        assertThat(stalls.get(0).remark()).isEqualTo("It was posted before the watchdog started watching.");
    }

    @Test
    void oneWatchdogWatchesManyLoopers() {
        ManualLooper other = new ManualLooper(kind);
        watchdog.watch(other.looper);
        watchdog.watch(other.looper);
        loop.post("a");
        other.post("b");
        loop.clock.advanceMillis(101);
        other.clock.advanceMillis(102);
        watchdog.check();
        assertThat(stalls).extracting(LooperStall::looper).containsExactly(loop.looper, other.looper);
    }

    @Test
    void anUnwatchedLooperIsNotReportedAndNotObserved() {
        watchdog.unwatch(loop.looper);
        watchdog.unwatch(loop.looper);
        assertThat(loop.queue.observers()).isNull();
        loop.post("a");
        loop.clock.advanceMillis(101);
        watchdog.check();
        assertThat(stalls).isEmpty();
    }

    @Test
    void aClosedWatchdogReleasesItsLoopersAndTakesNoMore() {
        watchdog.close();
        watchdog.close();
        assertThat(loop.queue.observers()).isNull();
        assertThatThrownBy(() -> watchdog.watch(loop.looper)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aListenerThatThrowsIsLoggedAndTheWatchdogGoesOn() {
        try (LogCapture capture = new LogCapture();
                LooperWatchdog failing = new LooperWatchdog(Duration.ofMillis(100), stall -> {
                    stalls.add(stall);
                    throw new IllegalStateException("on purpose");
                })) {
            watchdog.close();
            failing.watch(loop.looper);
            loop.post("a");
            loop.clock.advanceMillis(101);
            failing.check();
            loop.runDue();
            failing.check();
            assertThat(stalls).hasSize(2);
            assertThat(capture.lines).hasSize(2);
        }
    }

    @Test
    void aCheckedExceptionDoesNotEndTheWatchdog() {
        try (LogCapture capture = new LogCapture();
                LooperWatchdog failing = new LooperWatchdog(
                        Duration.ofMillis(100),
                        stall -> ExceptionPolicyTest.<RuntimeException>throwing(new Exception("checked")))) {
            watchdog.close();
            failing.watch(loop.looper);
            loop.post("a");
            loop.clock.advanceMillis(101);
            failing.check();
            assertThat(capture.lines).singleElement().asString().contains("The listener of a watchdog failed");
            loop.runDue();
            failing.check();
            assertThat(capture.lines).hasSize(2);
        }
    }

    @Test
    void withoutAListenerStallsAreLogged() {
        try (LogCapture capture = new LogCapture();
                LooperWatchdog logging = new LooperWatchdog(Duration.ofMillis(100))) {
            logging.watch(loop.looper);
            loop.post("a");
            loop.clock.advanceMillis(101);
            logging.check();
            loop.runDue();
            logging.check();
            assertThat(capture.lines).hasSize(2);
            assertThat(capture.lines.get(0))
                    .startsWith("WARNING ")
                    .contains(" is stalled by a backlog, for 101 ms: 1 due, ");
            assertThat(capture.lines.get(1))
                    .startsWith("INFO ")
                    .contains(" is no longer stalled by a backlog, after 101 ms");
        }
    }

    @Test
    void aBoundOfNothingIsRefused() {
        assertThatThrownBy(() -> new LooperWatchdog(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LooperWatchdog(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.looper.fixture.ManualLooper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Depth, waits and runs, on a manual clock. */
@ParameterizedClass
@EnumSource
class LooperStatsTest {
    private static final long MS = 1_000_000L;

    @Parameter
    QueueKind kind;

    private ManualLooper loop;

    @BeforeEach
    void makeLooper() {
        loop = new ManualLooper(kind);
    }

    private Runnable takes(long millis) {
        return () -> loop.clock.advanceMillis(millis);
    }

    @Test
    void depthCountsWhatWaitsWithoutBarriers() {
        assertThat(loop.queue.depth()).isZero();
        int token = loop.queue.postSyncBarrier();
        loop.post("due");
        loop.postAt("later", loop.now() + 100);
        loop.handler.sendEmptyMessage(1);
        assertThat(loop.queue.depth()).isEqualTo(3);
        loop.handler.removeMessages(1);
        loop.queue.removeSyncBarrier(token);
        loop.runDue();
        assertThat(loop.queue.depth()).isEqualTo(1);
    }

    @Test
    void theOldestWaitIsThatOfTheMessageThatIsDueLongest() {
        assertThat(loop.queue.oldestWaitNanos()).isZero();
        loop.handler.postAtFrontOfQueue(loop.log("front"));
        loop.postAt("later", loop.now() + 10);
        assertThat(loop.queue.oldestWaitNanos()).isZero();
        loop.clock.advanceMillis(15);
        loop.post("new");
        assertThat(loop.queue.oldestWaitNanos()).isEqualTo(5 * MS);
    }

    @Test
    void aTimeBeforeTheBeginningOfTimeHasWaitedForEver() {
        loop.postAt("long ago", Long.MIN_VALUE);
        loop.postAt("never", Long.MAX_VALUE);
        assertThat(loop.queue.oldestWaitNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aWaitBeginsWhenAMessageIsDueAndARunWhenItStarts() {
        LooperStats stats = LooperStats.of(loop.looper);
        loop.handler.post(takes(3));
        loop.handler.postDelayed(takes(7), 20);
        loop.clock.advanceMillis(2); // the first is 2 ms late
        loop.runDue();
        loop.clock.advanceMillis(16); // the second is 1 ms late
        loop.runDue();
        LooperStats.Snapshot seen = stats.snapshot();
        assertThat(seen.waits().count()).isEqualTo(2);
        assertThat(seen.waits().max()).isEqualTo(2 * MS);
        assertThat(seen.waits().percentile(0)).isBetween(MS, MS * 33 / 32);
        assertThat(seen.runs().count()).isEqualTo(2);
        assertThat(seen.runs().max()).isEqualTo(7 * MS);
        assertThat(seen.runs().percentile(0)).isBetween(3 * MS, 3 * MS * 33 / 32);
    }

    @Test
    void aMessageForTheFrontIsLateFromItsSending() {
        LooperStats stats = LooperStats.of(loop.looper);
        loop.handler.postAtFrontOfQueue(takes(0));
        loop.clock.advanceMillis(4);
        loop.runDue();
        assertThat(stats.snapshot().waits().max()).isEqualTo(4 * MS);
    }

    @Test
    void aPastTimeCountsFromTheSending() {
        LooperStats stats = LooperStats.of(loop.looper);
        loop.handler.postAtTime(takes(0), loop.now() - 500);
        loop.clock.advanceMillis(4);
        loop.runDue();
        assertThat(stats.snapshot().waits().max()).isEqualTo(4 * MS);
    }

    @Test
    void whatWasSentBeforehandCountsFromItsTimeIfItHasOne() {
        loop.handler.postAtFrontOfQueue(takes(0));
        loop.handler.post(takes(0));
        LooperStats stats = LooperStats.of(loop.looper);
        loop.clock.advanceMillis(4);
        loop.runDue();
        assertThat(stats.snapshot().waits().count()).isEqualTo(1);
        assertThat(stats.snapshot().waits().max()).isEqualTo(4 * MS);
        assertThat(stats.snapshot().runs().count()).isEqualTo(2);
    }

    @Test
    void messagesPerSecondAreThoseOfTheIntervalBetweenTwoSnapshots() {
        LooperStats stats = LooperStats.of(loop.looper);
        loop.handler.post(takes(600));
        loop.runDue();
        LooperStats.Snapshot before = stats.snapshot();
        assertThat(before.since(before).messagesPerSecond()).isZero();
        for (int i = 0; i < 20; i++) {
            loop.handler.post(takes(25));
        }
        loop.runDue();
        LooperStats.Snapshot interval = stats.snapshot().since(before);
        assertThat(interval.messagesPerSecond()).isEqualTo(40.0);
        assertThat(interval.runs().max()).isBetween(25 * MS, 25 * MS * 33 / 32);
    }

    @Test
    void aMessageThatRunsALoopContainsItsInnerMessages() {
        LooperStats stats = LooperStats.of(loop.looper);
        loop.handler.post(() -> {
            loop.clock.advanceMillis(1);
            loop.runDue();
            loop.clock.advanceMillis(1);
        });
        loop.handler.post(takes(5));
        loop.runDue();
        assertThat(stats.snapshot().runs().count()).isEqualTo(2);
        assertThat(stats.snapshot().runs().max()).isEqualTo(7 * MS);
        assertThat(stats.snapshot().runs().percentile(0)).isBetween(5 * MS, 5 * MS * 33 / 32);
    }

    @Test
    void closedStatisticsCountNoMoreAndCanBeRead() {
        LooperStats stats = LooperStats.of(loop.looper);
        loop.handler.post(takes(1));
        loop.runDue();
        stats.close();
        stats.close();
        assertThat(loop.queue.observers()).isNull();
        loop.handler.post(takes(1));
        loop.runDue();
        assertThat(stats.snapshot().runs().count()).isEqualTo(1);
    }

    @Test
    void aSnapshotIsOneReadableLine() {
        LooperStats stats = LooperStats.of(loop.looper);
        loop.handler.post(takes(500));
        loop.runDue();
        loop.post("a");
        loop.clock.advanceMillis(500);
        assertThat(stats.snapshot())
                .hasToString("1 messages/s, 1 waiting, oldest due for 500 ms, waits 1 (p50 0 ns, p99 0 ns, max 0 ns),"
                        + " runs 1 (p50 500 ms, p99 500 ms, max 500 ms)");
    }
}

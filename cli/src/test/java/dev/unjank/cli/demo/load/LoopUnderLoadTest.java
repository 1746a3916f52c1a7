package dev.unjank.cli.demo.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.looper.QueueKind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
class LoopUnderLoadTest {

    private static final LoadProfile LIGHT = new LoadProfile(0, 2, 100, 500);

    @ParameterizedTest
    @EnumSource
    void countsTicksAndPosts(QueueKind queue) throws Exception {
        List<Integer> seconds = new ArrayList<>();

        LoopUnderLoadResult result = new LoopUnderLoad(() -> new LooperLoop(queue), LIGHT, 28).run((second, ticks) -> {
            seconds.add(second);
            return ticks.completed() == 0; // which one second is enough for, if the machine is not too busy
        });
        int last = seconds.getLast();
        assertThat(seconds).isEqualTo(IntStream.rangeClosed(1, last).boxed().toList());
        assertThat(result.ticks().due()).isBetween(60 * last, 28 * 60);
        assertThat(result.ticks().completed()).isBetween(1, result.ticks().due());
        assertThat(result.posts()).isPositive();
        assertThat(result.postMedian()).isPositive().isLessThanOrEqualTo(result.postP999());
    }

    @Test
    void endsInTimeThoughTheLoopIsStalledThroughout() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        LoopUnderLoad phase = new LoopUnderLoad(() -> new LooperLoop(QueueKind.LOCK_FREE), LIGHT, 1);
        phase.loop.loop().postDelayed(() -> awaitQuietly(never), 0);

        LoopUnderLoadResult result = phase.run((second, ticks) -> true);

        assertThat(result.ticks().completed()).isZero();
        assertThat(result.ticks().missed()).isEqualTo(60);
        assertThat(result.ticks().longestStall()).isGreaterThanOrEqualTo(1_000_000_000L);
        never.countDown();
    }

    @Test
    void endsWhenTheWatcherHasSeenEnough() throws Exception {
        LoopUnderLoadResult result =
                new LoopUnderLoad(() -> new LooperLoop(QueueKind.LOCK_FREE), LIGHT, 28).run((second, ticks) -> false);

        assertThat(result.ticks().due()).isBetween(60, 28 * 60 - 1);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package dev.unjank.workbench.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.cli.demo.load.MessageLoop;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A benchmark of a peer that drops, doubles or reorders messages would be worth nothing. */
class PeerTest {

    private static final int MESSAGES = 10_000;

    private final BlockingQueue<Integer> ran = new ArrayBlockingQueue<>(MESSAGES + 10);

    @ParameterizedTest
    @MethodSource("dev.unjank.workbench.bench.peer.Peer#available")
    void runsEachPostOnceAndInOrder(Peer peer) throws Exception {
        try (MessageLoop loop = peer.open()) {
            for (int i = 0; i < MESSAGES; i++) {
                int number = i;
                loop.post(() -> ran.add(number));
            }
            loop.settle();
        }

        assertThat(List.copyOf(ran))
                .isEqualTo(IntStream.range(0, MESSAGES).boxed().toList());
    }

    @ParameterizedTest
    @MethodSource("dev.unjank.workbench.bench.peer.Peer#available")
    void losesNothingWhenManyPostToALoopThatFallsAsleep(Peer peer) throws Exception {
        int threads = 4;
        try (MessageLoop loop = peer.open()) {
            for (int round = 0; round < 200; round++) {
                CountDownLatch all = new CountDownLatch(threads);
                for (int i = 0; i < threads; i++) {
                    new Thread(() -> loop.post(all::countDown)).start();
                }
                all.await();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.unjank.workbench.bench.peer.Peer#withTimers")
    void runsTimersByTheirDeadlinesAndCancelledOnesNot(Peer peer) throws Exception {
        try (MessageLoop loop = peer.open()) {
            CountDownLatch release = loop.hold();
            long begun = System.nanoTime();
            loop.postDelayed(() -> ran.add(3), 40);
            Object cancelled = loop.postDelayed(() -> ran.add(2), 30);
            loop.postDelayed(() -> ran.add(1), 20);
            boolean inTime = System.nanoTime() - begun < TimeUnit.MILLISECONDS.toNanos(15);
            loop.cancel(cancelled);
            release.countDown();
            List<Integer> both = List.of(ran.take(), ran.take());
            assertThat(both).containsExactlyInAnyOrder(1, 3);
            if (inTime) { // else this thread had no processor for so long that the first is due before the last
                assertThat(both).containsExactly(1, 3);
            }
            assertThat(ran).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JCTOOLS", "AGRONA", "BLOCKING_QUEUE"})
    void aPlainQueueHasNoTimers(Peer peer) {
        try (MessageLoop loop = peer.open()) {
            assertThatThrownBy(() -> loop.postDelayed(MessageLoop.NOTHING, 1))
                    .isInstanceOf(UnsupportedOperationException.class);
        }
    }
}

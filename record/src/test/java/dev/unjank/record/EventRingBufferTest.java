package dev.unjank.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * Order, bounds and counting; what several threads put in comes out once, in each one's order, or is counted as lost.
 */
class EventRingBufferTest {
    @Test
    void comesOutInOrderRoundAndRound() {
        EventRingBuffer<Integer> buffer = new EventRingBuffer<>(4);
        int next = 0;
        int expected = 0;
        for (int round = 0; round < 100; round++) {
            for (int i = 0; i <= round % 4; i++) {
                buffer.offer(next++);
            }
            for (int i = 0; i <= round % 4; i++) {
                assertThat(buffer.poll()).isEqualTo(expected++);
            }
            assertThat(buffer.poll()).isNull();
        }
        assertThat(buffer.lost()).isZero();
    }

    @Test
    void whatFindsNoRoomIsCountedAndTheOldestStay() {
        EventRingBuffer<Integer> buffer = new EventRingBuffer<>(2);
        for (int i = 0; i < 5; i++) {
            buffer.offer(i);
        }
        assertThat(buffer.lost()).isEqualTo(3);
        assertThat(buffer.poll()).isZero();
        buffer.offer(5);
        assertThat(buffer.poll()).isEqualTo(1);
        assertThat(buffer.poll()).isEqualTo(5);
        assertThat(buffer.poll()).isNull();
        assertThat(buffer.lost()).isEqualTo(3);
    }

    @Test
    void aCapacityIsAPowerOfTwo() {
        assertThatThrownBy(() -> new EventRingBuffer<>(3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new EventRingBuffer<>(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void threadsPutInWhatComesOutOnce() throws InterruptedException {
        int threads = 3;
        int each = 50_000;
        EventRingBuffer<int[]> buffer = new EventRingBuffer<>(64);
        CountDownLatch working = new CountDownLatch(threads);
        List<Thread> started = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int number = t;
            Thread thread = new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    buffer.offer(new int[] {number, i});
                }
                working.countDown();
            });
            started.add(thread);
            thread.start();
        }
        int[] last = {-1, -1, -1};
        int taken = 0;
        boolean done;
        do {
            done = working.getCount() == 0; // before the last look
            for (int[] mark; (mark = buffer.poll()) != null; taken++) {
                assertThat(mark[1]).isGreaterThan(last[mark[0]]);
                last[mark[0]] = mark[1];
            }
        } while (!done);
        for (Thread thread : started) {
            thread.join();
        }
        assertThat(taken + buffer.lost()).isEqualTo((long) threads * each);
        assertThat(taken).isPositive();
    }
}

package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The heap by itself. */
class MessageHeapTest {
    private static Message message(long when) {
        Message m = Message.obtain();
        m.when = when;
        return m;
    }

    @Test
    void anySequenceOfAddAndRemoveLeavesTheEarliestFirst() {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            MessageHeap heap = new MessageHeap();
            List<Message> sorted = new ArrayList<>();
            for (int step = 0; step < 400; step++) {
                // grows, then shrinks
                if (random.nextInt(4) < (step < 200 ? 3 : 1)) {
                    Message m = message(random.nextInt(5) == 0 ? random.nextLong() : random.nextInt(20));
                    m.arg1 = step;
                    heap.add(m, step);
                    sorted.add(m);
                    sorted.sort(Comparator.<Message>comparingLong(x -> x.when).thenComparingInt(x -> x.arg1));
                } else if (!sorted.isEmpty()) {
                    Message m = sorted.remove(random.nextBoolean() ? 0 : random.nextInt(sorted.size()));
                    heap.remove(m);
                    assertThat(m.heapIndex).isEqualTo(-1);
                    heap.remove(m);
                }
                assertThat(heap.first())
                        .as("seed %d, step %d", seed, step)
                        .isSameAs(sorted.isEmpty() ? null : sorted.get(0));
                assertThat(heap.size()).isEqualTo(sorted.size());
            }
        }
    }

    @Test
    void extremesAreInOrder() {
        MessageHeap heap = new MessageHeap();
        long[] whens = {Long.MAX_VALUE, Long.MIN_VALUE, 0, -1, 1, Long.MIN_VALUE + 1, Long.MAX_VALUE - 1};
        for (long when : whens) {
            heap.add(message(when), 0);
        }
        List<Long> order = new ArrayList<>();
        for (Message m = heap.first(); m != null; m = heap.first()) {
            order.add(m.when);
            heap.remove(m);
        }
        assertThat(order).hasSize(7).isSorted();
    }

    @Test
    void theFirstOfTwoHeapsIsFoundByTimeAndThenBySequence() {
        MessageHeap a = new MessageHeap();
        MessageHeap b = new MessageHeap();
        assertThat(a.goesFirst(b)).isFalse();
        a.add(message(5), 2);
        assertThat(a.goesFirst(b)).isTrue();
        assertThat(b.goesFirst(a)).isFalse();
        b.add(message(5), 1);
        assertThat(a.goesFirst(b)).isFalse();
        assertThat(b.goesFirst(a)).isTrue();
        a.add(message(4), 3);
        assertThat(a.goesFirst(b)).isTrue();
    }
}

package dev.unjank.looper.queue;

import static dev.unjank.looper.queue.NodeState.casFreshToClaimed;
import static dev.unjank.looper.queue.NodeState.casQueuedToRemoved;
import static dev.unjank.looper.queue.NodeState.setQueuedPlain;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The heap in isolation. */
class MessageHeapTest {
    private static Node queued(int what) {
        Node m = new TestNode(what);
        casFreshToClaimed(m);
        setQueuedPlain(m, 0);
        return m;
    }

    private record Entry(Node message, long major, long minor) {}

    @Test
    void anySequenceOfAddRemoveAndCompactLeavesTheEarliestFirst() {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            MessageHeap heap = new MessageHeap();
            List<Entry> sorted = new ArrayList<>();
            for (int step = 0; step < 400; step++) {
                // grows, then shrinks
                if (random.nextInt(4) < (step < 200 ? 3 : 1)) {
                    long major = random.nextInt(5) == 0 ? random.nextLong() : random.nextInt(20);
                    Entry entry = new Entry(queued(step), major, step);
                    heap.add(entry.message, major, step);
                    sorted.add(entry);
                    sorted.sort(Comparator.comparingLong(Entry::major).thenComparingLong(Entry::minor));
                } else if (random.nextInt(10) == 0) {
                    for (Entry e : List.copyOf(sorted)) {
                        if (random.nextInt(3) == 0) {
                            casQueuedToRemoved(e.message);
                            sorted.remove(e);
                        }
                    }
                    heap.compact();
                } else if (!sorted.isEmpty()) {
                    sorted.remove(0);
                    heap.removeFirst();
                }
                assertThat(heap.first())
                        .as("seed %d, step %d", seed, step)
                        .isSameAs(sorted.isEmpty() ? null : sorted.get(0).message);
                assertThat(heap.size()).isEqualTo(sorted.size());
            }
        }
    }

    @Test
    void extremesAreInOrder() {
        MessageHeap heap = new MessageHeap();
        long[] keys = {Long.MAX_VALUE, Long.MIN_VALUE, 0, -1, 1, Long.MIN_VALUE + 1, Long.MAX_VALUE - 1};
        for (long major : keys) {
            for (long minor : keys) {
                heap.add(queued(0), major, minor);
            }
        }
        List<Entry> order = new ArrayList<>();
        for (Node m = heap.first(); m != null; m = heap.first()) {
            order.add(new Entry(m, heap.firstMajor(), heap.firstMinor()));
            heap.removeFirst();
        }
        assertThat(order)
                .hasSize(keys.length * keys.length)
                .isSortedAccordingTo(Comparator.comparingLong(Entry::major).thenComparingLong(Entry::minor));
    }
}

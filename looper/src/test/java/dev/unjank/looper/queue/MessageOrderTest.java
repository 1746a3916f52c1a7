package dev.unjank.looper.queue;

import static dev.unjank.looper.queue.NodeState.casFreshToClaimed;
import static dev.unjank.looper.queue.NodeState.casQueuedToRemoved;
import static dev.unjank.looper.queue.NodeState.isDueBefore;
import static dev.unjank.looper.queue.NodeState.setDueMillis;
import static dev.unjank.looper.queue.NodeState.setDueNanos;
import static dev.unjank.looper.queue.NodeState.setQueuedPlain;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The delivery order in isolation: lane and heap must be indistinguishable. */
class MessageOrderTest {
    private static Node due(long when) {
        Node m = new TestNode(0);
        casFreshToClaimed(m);
        setDueMillis(m, when);
        setQueuedPlain(m, 0);
        return m;
    }

    private record Entry(Node message, long arrival) {
        static final Comparator<Entry> ORDER = (a, b) -> isDueBefore(a.message, b.message)
                ? -1
                : isDueBefore(b.message, a.message) ? 1 : Long.compare(a.arrival, b.arrival);
    }

    @Test
    void itDoesNotMatterWhatGoesThroughTheLane() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            MessageOrder order = new MessageOrder();
            List<Entry> sorted = new ArrayList<>();
            long arrival = MessageOrder.FIRST_ARRIVAL;
            long front = MessageOrder.FIRST_ARRIVAL;
            long now = 100;
            for (int step = 0; step < 300; step++) {
                int dice = random.nextInt(10);
                if (dice < 5) {
                    long when = dice == 0 ? 0 : now + random.nextInt(-2, 3);
                    Node m = due(when);
                    if (random.nextInt(4) == 0) {
                        setDueNanos(m, when * 1_000_000 + random.nextInt(1_000) * 16L);
                    }
                    Entry entry = new Entry(m, m.when == 0 ? --front : ++arrival);
                    order.add(m, entry.arrival, random.nextInt(5) != 0);
                    order.arrange();
                    sorted.add(entry);
                    sorted.sort(Entry.ORDER);
                } else if (dice < 9) {
                    if (!sorted.isEmpty()) {
                        sorted.remove(0);
                        order.removeFirst();
                    }
                } else {
                    for (Entry e : List.copyOf(sorted)) {
                        if (random.nextInt(3) == 0) {
                            casQueuedToRemoved(e.message);
                            sorted.remove(e);
                        }
                    }
                    order.compact();
                }
                now += random.nextInt(2);
                assertThat(order.first())
                        .as("seed %d, step %d", seed, step)
                        .isSameAs(sorted.isEmpty() ? null : sorted.get(0).message);
                assertThat(order.isEmpty()).isEqualTo(sorted.isEmpty());
            }
        }
    }

    /**
     * Drains of all sizes, on what earlier ones have left: in order for a while, then not, with ties and overdue by
     * years.
     */
    @Test
    void whatComesDueOutOfOrderIsSortedHoweverMuchItIs() {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            MessageOrder order = new MessageOrder();
            List<Entry> sorted = new ArrayList<>();
            long arrival = MessageOrder.FIRST_ARRIVAL;
            long front = MessageOrder.FIRST_ARRIVAL;
            long now = 1_000_000_000_000L;
            for (int drain = 0; drain < 8; drain++) {
                int count = 1 << random.nextInt(11);
                int inOrder = random.nextInt(3) == 0 ? random.nextInt(2 * count) : 0;
                int span = 1 << random.nextInt(12);
                boolean fractions = random.nextBoolean();
                boolean farApart = random.nextInt(4) == 0;
                for (int i = 0; i < count; i++) {
                    long when = i < inOrder ? now - span + (long) span * i / inOrder : now - random.nextInt(span);
                    if (random.nextInt(100) == 0) {
                        when = farApart ? now - (1L << random.nextInt(63)) : 0;
                    }
                    Node m = due(when);
                    if (fractions && when > 0) {
                        setDueNanos(m, when * 1_000_000 + random.nextInt(62_500) * 16L);
                    }
                    Entry entry = new Entry(m, m.when == 0 ? --front : ++arrival);
                    order.add(m, entry.arrival, random.nextInt(50) != 0);
                    sorted.add(entry);
                }
                order.arrange();
                sorted.sort(Entry.ORDER);
                int taken = random.nextInt(sorted.size() + 1);
                for (Entry e : sorted.subList(0, taken)) {
                    assertThat(order.first())
                            .as("seed %d, drain %d", seed, drain)
                            .isSameAs(e.message);
                    order.removeFirst();
                }
                sorted.subList(0, taken).clear();
                assertThat(order.isEmpty()).isEqualTo(sorted.isEmpty());
                now += random.nextInt(100);
            }
        }
    }

    /** The order would be right in any case, but slow. */
    @Test
    void whatIsSortedGoesPastTheHeap() {
        Random random = new Random(1);
        MessageOrder order = new MessageOrder();
        long arrival = MessageOrder.FIRST_ARRIVAL;
        for (int drain = 0; drain < 3; drain++) {
            long from = 1_000 + 100L * drain; // all of it is due after what the drains before have left
            for (int i = 0; i < 1_000; i++) {
                Node m = due(from);
                // a few in order at first, so that the lane has begun; then times, fractions and ties at random
                long nanos = i < 5 ? 5_000_000L * i : random.nextInt(1_000) * 50_000L;
                setDueNanos(m, from * 1_000_000 + nanos);
                order.add(m, ++arrival, true);
            }
            order.arrange();
            assertThat(order.heaped()).as("drain %d", drain).isZero();
            for (int i = 0; i < 500; i++) {
                order.removeFirst();
            }
        }
    }

    @Test
    void theFirstOfTwoIsFoundByTimeAndThenByArrivalWhereverItIs() {
        for (boolean lane : new boolean[] {true, false}) {
            for (boolean otherLane : new boolean[] {true, false}) {
                MessageOrder a = new MessageOrder();
                MessageOrder b = new MessageOrder();
                assertThat(a.goesBefore(b)).isFalse();
                a.add(due(5), 2, lane);
                a.arrange();
                assertThat(a.goesBefore(b)).isTrue();
                assertThat(b.goesBefore(a)).isFalse();
                b.add(due(5), 1, otherLane);
                b.arrange();
                assertThat(a.goesBefore(b)).isFalse();
                assertThat(b.goesBefore(a)).isTrue();
                a.add(due(4), 3, lane);
                a.arrange();
                assertThat(a.goesBefore(b)).isTrue();
                assertThat(b.goesBefore(a)).isFalse();
            }
        }
    }

    @Test
    void fractionsOfAMillisecondCount() {
        MessageOrder order = new MessageOrder();
        Node late = due(5);
        setDueNanos(late, 5_999_984);
        Node early = due(5);
        setDueNanos(early, 5_000_001);
        Node whole = due(5);
        order.add(late, 1, true);
        order.add(early, 2, true);
        order.add(whole, 3, true);
        order.arrange();
        List<Node> found = new ArrayList<>();
        for (Node m = order.first(); m != null; m = order.first()) {
            found.add(m);
            order.removeFirst();
        }
        assertThat(found).containsExactly(whole, early, late);
    }

    @Test
    void aLongLaneIsGivenUp() {
        MessageOrder order = new MessageOrder();
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 10_000; i++) {
                order.add(due(i), i, true);
            }
            order.arrange();
            for (int i = 0; i < 10_000; i++) {
                assertThat(order.first().when).isEqualTo(i);
                order.removeFirst();
            }
            assertThat(order.first()).isNull();
        }
    }
}

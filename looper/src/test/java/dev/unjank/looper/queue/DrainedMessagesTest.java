package dev.unjank.looper.queue;

import static dev.unjank.looper.queue.NodeState.casFreshToClaimed;
import static dev.unjank.looper.queue.NodeState.casQueuedToRemoved;
import static dev.unjank.looper.queue.NodeState.clearWhen;
import static dev.unjank.looper.queue.NodeState.dueNanos;
import static dev.unjank.looper.queue.NodeState.isQueued;
import static dev.unjank.looper.queue.NodeState.isSettled;
import static dev.unjank.looper.queue.NodeState.nextOpaque;
import static dev.unjank.looper.queue.NodeState.setDueMillis;
import static dev.unjank.looper.queue.NodeState.setRecycledRelease;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** DrainedMessages and MessageGenerations in isolation, on one thread. */
class DrainedMessagesTest {
    private static final long NOW = 10_000_000;
    private static final KeyIndex.KeySource BY_CODE =
            (message, index) -> index.put(KeyIndex.keyOf(((TestNode) message).what), message);

    private final MessageStack stack = new MessageStack();
    private final DrainHorizon horizon = new DrainHorizon();
    private final MessageGenerations generations = new MessageGenerations(stack, BY_CODE);
    private final DrainedMessages backlog = new DrainedMessages(stack, horizon, generations);

    private Node push(int what, long millis) {
        Node m = new TestNode(what);
        casFreshToClaimed(m);
        setDueMillis(m, millis);
        push(stack, horizon, m, false);
        return m;
    }

    private static void push(MessageStack stack, DrainHorizon horizon, Node m, boolean counting) {
        stack.push(m, counting);
        horizon.recheckAfterPush(dueNanos(m));
    }

    private Integer take() {
        Node m = backlog.take(NOW, 1);
        return m == null ? null : ((TestNode) m).what;
    }

    private List<Node> linked() {
        List<Node> linked = new ArrayList<>();
        for (Node m = stack.topAcquire(); m != null; m = nextOpaque(m)) {
            linked.add(m);
        }
        return linked;
    }

    @Test
    void givesWhatIsDueInTheOrderOfSending() {
        push(1, 5);
        push(2, 5);
        push(3, 4);
        push(4, 11);
        assertThat(take()).isEqualTo(3);
        assertThat(take()).isEqualTo(1);
        push(5, 5);
        assertThat(take()).isEqualTo(2);
        assertThat(take()).isEqualTo(5);
        assertThat(take()).isNull();
        assertThat(backlog.deadline()).isEqualTo(11_000_000);
    }

    @Test
    void knownMessagesAreTakenWithoutACheckUnlessASenderOvertakes() {
        push(1, 5);
        push(2, 7);
        assertThat(take()).isEqualTo(1);
        push(3, 7);
        assertThat(backlog.hasNewMessagesVolatile()).isTrue();
        assertThat(take()).isEqualTo(2);
        assertThat(backlog.hasNewMessagesVolatile()).as("no look").isTrue();
        assertThat(take()).isEqualTo(3);
        push(4, 7);
        push(5, 7);
        assertThat(take()).isEqualTo(4);
        push(6, 6);
        assertThat(take()).as("overtaking").isEqualTo(6);
        assertThat(take()).isEqualTo(5);
    }

    @Test
    void aSenderStuckWhileOvertakingMakesTheLooperCheckEachTime() {
        push(1, 5);
        push(2, 5);
        push(3, 5);
        assertThat(take()).isEqualTo(1);
        assertThat(horizon.isOvertaking(4_000_000)).isTrue();
        horizon.beginOvertaking();
        push(4, 5);
        assertThat(take()).isEqualTo(2);
        assertThat(backlog.hasNewMessagesVolatile()).as("a look").isFalse();
        Node late = new TestNode(5);
        casFreshToClaimed(late);
        setDueMillis(late, 4);
        stack.push(late, false);
        assertThat(take()).isEqualTo(5);
        horizon.endOvertaking();
        assertThat(take()).isEqualTo(3);
        push(6, 5);
        assertThat(take()).isEqualTo(4);
        assertThat(backlog.hasNewMessagesVolatile()).as("no look any more").isTrue();
    }

    @Test
    void settlingUnlinksDeadMessagesAndMarksLiveOnes() {
        Node timer = push(1, 20);
        push(2, 5);
        Node other = push(3, 20);
        push(4, 5);
        take();
        take();
        take();
        backlog.settle();
        assertThat(linked()).containsExactly(other, timer);
        assertThat(isSettled(timer)).isTrue();
        assertThat(generations.settledTopAcquire()).isSameAs(other);
        assertThat(backlog.hasNewMessagesVolatile()).isFalse();
    }

    @Test
    void aReaderOnAnUnlinkedMessageStillReachesEveryOlderOne() {
        Node oldest = push(1, 20);
        Node dead = push(2, 5);
        Node between = push(3, 20);
        Node dead2 = push(4, 5);
        push(5, 20);
        take();
        take();
        take();
        backlog.settle();
        List<Node> reached = new ArrayList<>();
        for (Node m = nextOpaque(dead2); m != null; m = nextOpaque(m)) {
            reached.add(m);
        }
        assertThat(reached).contains(between, oldest);
        assertThat(nextOpaque(dead)).isSameAs(oldest);
        assertThat(linked()).hasSize(3);
    }

    @Test
    void theTopIsUnlinkedOnlyIfNothingHasComeMeanwhile() {
        push(1, 5);
        assertThat(take()).isEqualTo(1);
        push(2, 5);
        backlog.settle();
        assertThat(linked()).as("news links to the dead one").hasSize(2);
        assertThat(take()).isEqualTo(2);
        backlog.settle();
        assertThat(linked()).isEmpty();
    }

    @Test
    void aMessagePushedOnAnUnlinkedTopIsNew() {
        Node timer = push(1, 20);
        push(2, 5);
        take();
        backlog.settle();
        assertThat(stack.topAcquire()).isSameAs(timer);
        push(3, 5);
        assertThat(backlog.hasNewMessagesVolatile()).isTrue();
        assertThat(take()).isEqualTo(3);
        assertThat(take()).isNull();
        assertThat(backlog.deadline()).isEqualTo(20_000_000);
    }

    @Test
    void aBusyLooperUnlinksIncrementally() {
        for (int i = 0; i < 100_000; i++) {
            push(i, 5);
            assertThat(take()).isEqualTo(i);
            backlog.unlinkIncrementally();
        }
        assertThat(linked()).hasSizeLessThanOrEqualTo(MessageGenerations.TOLERATED + 1);
    }

    @Test
    void aBusyLooperWithABacklogUnlinksIncrementally() {
        int ahead = 2_000;
        for (int i = 0; i < ahead; i++) {
            push(i, 5);
        }
        for (int i = ahead; i < 50_000; i++) {
            push(i, 5);
            assertThat(take()).isEqualTo(i - ahead);
            backlog.unlinkIncrementally();
        }
        assertThat(linked()).hasSizeLessThanOrEqualTo(2 * ahead + 2);
    }

    @Test
    void timersSettleAlsoIfTheLooperNeverSleeps() {
        for (int i = 0; i < 2 * MessageGenerations.TOLERATED; i++) {
            push(i, 20);
            take();
            backlog.unlinkIncrementally();
        }
        assertThat(generations.settledTopAcquire()).isNotNull();
        assertThat(generations.indexAcquire()).isNotNull();
    }

    /**
     * After any sequence of pushes, takes, removals and upkeep the live messages are linked in order, and are taken in
     * order.
     */
    @Test
    void anySequenceLeavesLiveMessagesLinkedInOrder() {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            MessageStack s = new MessageStack();
            DrainHorizon h = new DrainHorizon();
            DrainedMessages b = new DrainedMessages(s, h, new MessageGenerations(s, BY_CODE));
            List<Node> alive = new ArrayList<>();
            List<Node> all = new ArrayList<>();
            long now = 100;
            for (int step = 0; step < 400; step++) {
                switch (random.nextInt(8)) {
                    case 0, 1, 2 -> {
                        Node m = new TestNode(step);
                        casFreshToClaimed(m);
                        setDueMillis(m, now + random.nextInt(-1, 30));
                        push(s, h, m, random.nextBoolean());
                        alive.add(0, m);
                        all.add(0, m);
                    }
                    case 3, 4 -> {
                        Node m = b.take(now * 1_000_000, 1);
                        Node expected = null;
                        for (Node a : alive) {
                            if (a.when <= now && (expected == null || a.when <= expected.when)) {
                                expected = a;
                            }
                        }
                        assertThat(m).as("seed %d, step %d", seed, step).isSameAs(expected);
                        if (m != null) {
                            alive.remove(m);
                            clearWhen(m);
                            setRecycledRelease(m);
                        }
                    }
                    case 5 -> {
                        if (!alive.isEmpty()) {
                            casQueuedToRemoved(alive.remove(random.nextInt(alive.size())));
                        }
                    }
                    case 6 -> {
                        b.take(Long.MIN_VALUE, 1);
                        switch (random.nextInt(3)) {
                            case 0 -> b.settle();
                            case 1 -> b.purge();
                            default -> b.unlinkIncrementally();
                        }
                    }
                    default -> now += random.nextInt(5);
                }
                List<Node> actual = new ArrayList<>();
                for (Node m = s.topAcquire(); m != null; m = nextOpaque(m)) {
                    if (isQueued(m)) {
                        actual.add(m);
                    }
                }
                assertThat(actual).as("seed %d, step %d", seed, step).containsExactlyElementsOf(alive);
                // a reader may have stopped anywhere, long ago: it still reaches every older live message
                int stopped = all.isEmpty() ? 0 : random.nextInt(all.size());
                if (!all.isEmpty()) {
                    List<Node> older = new ArrayList<>(all.subList(stopped + 1, all.size()));
                    older.retainAll(alive);
                    List<Node> reached = new ArrayList<>();
                    for (Node m = nextOpaque(all.get(stopped)); m != null; m = nextOpaque(m)) {
                        if (isQueued(m)) {
                            reached.add(m);
                        }
                    }
                    assertThat(reached).as("seed %d, step %d", seed, step).containsExactlyElementsOf(older);
                }
            }
        }
    }
}

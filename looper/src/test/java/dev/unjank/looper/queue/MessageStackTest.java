package dev.unjank.looper.queue;

import static dev.unjank.looper.queue.NodeState.casFreshToClaimed;
import static dev.unjank.looper.queue.NodeState.casToSettled;
import static dev.unjank.looper.queue.NodeState.depth;
import static dev.unjank.looper.queue.NodeState.isQueued;
import static dev.unjank.looper.queue.NodeState.nextOpaque;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The stack in isolation, on one thread. */
class MessageStackTest {
    private final MessageStack stack = new MessageStack();

    private static Node message(int what) {
        Node m = new TestNode(what);
        casFreshToClaimed(m);
        return m;
    }

    private boolean push(int what) {
        return stack.push(message(what), false);
    }

    private List<Integer> fromTop() {
        List<Integer> codes = new ArrayList<>();
        for (Node m = stack.topAcquire(); m != null; m = nextOpaque(m)) {
            codes.add(((TestNode) m).what);
        }
        return codes;
    }

    @Test
    void theNewestIsTheTop() {
        assertThat(fromTop()).isEmpty();
        assertThat(push(1)).isTrue();
        assertThat(push(2)).isTrue();
        assertThat(push(3)).isTrue();
        assertThat(fromTop()).containsExactly(3, 2, 1);
    }

    @Test
    void whatIsPushedIsQueued() {
        Node m = message(1);
        assertThat(isQueued(m)).isFalse();
        stack.push(m, false);
        assertThat(isQueued(m)).isTrue();
    }

    @Test
    void aClosedStackRefuses() {
        push(1);
        Node end = TestNode.end();
        assertThat(stack.close(end)).isTrue();
        assertThat(push(2)).isFalse();
        assertThat(stack.close(TestNode.end())).isFalse();
        assertThat(MessageStack.isEnd(stack.topAcquire())).isTrue();
        assertThat(stack.topAcquire()).isSameAs(end);
        assertThat(((TestNode) nextOpaque(end)).what).isEqualTo(1);
    }

    @Test
    void thoseOnASleepingLooperAreCounted() {
        push(1);
        assertThat(depth(stack.topAcquire())).isZero();
        for (int i = 1; i <= 1_023; i++) {
            stack.push(message(i), true);
            assertThat(depth(stack.topAcquire())).isEqualTo(i);
        }
        stack.push(message(2_000), true);
        assertThat(depth(stack.topAcquire())).as("as far as it goes").isEqualTo(1_023);
        push(2_001);
        assertThat(depth(stack.topAcquire())).isZero();
    }

    @Test
    void whatHasSettledIsNotCounted() {
        stack.push(message(1), true);
        stack.push(message(2), true);
        casToSettled(stack.topAcquire());
        stack.push(message(3), true);
        assertThat(depth(stack.topAcquire())).isEqualTo(1);
    }
}

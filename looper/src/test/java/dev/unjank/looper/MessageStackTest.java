package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The stack in isolation, on one thread. */
class MessageStackTest {
    private final MessageStack stack = new MessageStack();

    private static Message message(int what) {
        Message m = Message.obtain(null, what);
        m.casFreshToClaimed();
        return m;
    }

    private boolean push(int what) {
        return stack.push(message(what), false);
    }

    private List<Integer> fromTop() {
        List<Integer> codes = new ArrayList<>();
        for (Message m = stack.topAcquire(); m != null; m = m.nextOpaque()) {
            codes.add(m.what);
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
        Message m = message(1);
        assertThat(m.isQueued()).isFalse();
        stack.push(m, false);
        assertThat(m.isQueued()).isTrue();
    }

    @Test
    void aClosedStackRefuses() {
        push(1);
        Message end = Message.end();
        assertThat(stack.close(end)).isTrue();
        assertThat(push(2)).isFalse();
        assertThat(stack.close(Message.end())).isFalse();
        assertThat(MessageStack.isEnd(stack.topAcquire())).isTrue();
        assertThat(stack.topAcquire()).isSameAs(end);
        assertThat(end.nextOpaque().what).isEqualTo(1);
    }

    @Test
    void thoseOnASleepingLooperAreCounted() {
        push(1);
        assertThat(stack.topAcquire().depth()).isZero();
        for (int i = 1; i <= 1_023; i++) {
            stack.push(message(i), true);
            assertThat(stack.topAcquire().depth()).isEqualTo(i);
        }
        stack.push(message(2_000), true);
        assertThat(stack.topAcquire().depth()).as("as far as it goes").isEqualTo(1_023);
        push(2_001);
        assertThat(stack.topAcquire().depth()).isZero();
    }

    @Test
    void whatHasSettledIsNotCounted() {
        stack.push(message(1), true);
        stack.push(message(2), true);
        stack.topAcquire().casToSettled();
        stack.push(message(3), true);
        assertThat(stack.topAcquire().depth()).isEqualTo(1);
    }
}

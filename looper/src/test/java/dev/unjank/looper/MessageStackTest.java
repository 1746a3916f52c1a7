package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The stack by itself, on one thread. */
class MessageStackTest {
    private final MessageStack stack = new MessageStack();

    private static Message message(int what) {
        Message m = Message.obtain();
        m.what = what;
        return m;
    }

    private List<Integer> fromTop() {
        List<Integer> codes = new ArrayList<>();
        for (Message m = stack.topAcquire(); m != null; m = m.nextOpaque()) {
            codes.add(m.what);
        }
        return codes;
    }

    private List<Integer> drained() {
        List<Integer> codes = new ArrayList<>();
        for (Message m = stack.drain(); m != null; m = m.newer) {
            codes.add(m.what);
        }
        return codes;
    }

    @Test
    void drainsOldestFirstAndEachOnce() {
        assertThat(drained()).isEmpty();
        stack.push(message(1));
        stack.push(message(2));
        stack.push(message(3));
        assertThat(stack.hasNewsVolatile()).isTrue();
        assertThat(drained()).containsExactly(1, 2, 3);
        assertThat(stack.hasNewsVolatile()).isFalse();
        assertThat(drained()).isEmpty();
        stack.push(message(4));
        assertThat(drained()).containsExactly(4);
        assertThat(fromTop()).containsExactly(4, 3, 2, 1);
    }

    @Test
    void aReaderOnAnUnlinkedMessageStillReachesEveryOlderOne() {
        Message[] m = new Message[6];
        for (int i = 0; i < m.length; i++) {
            m[i] = message(i);
            stack.push(m[i]);
        }
        stack.drain();
        stack.unlink(m[3]);
        stack.unlink(m[2]);
        stack.unlink(m[0]);
        List<Integer> seen = new ArrayList<>();
        for (Message r = m[3].nextOpaque(); r != null; r = r.nextOpaque()) {
            seen.add(r.what);
        }
        assertThat(seen).contains(1).doesNotContain(4, 5);
        assertThat(fromTop()).containsExactly(5, 4, 1);
    }

    @Test
    void theTopIsUnlinkedAlsoIfNewerMessagesHaveCome() {
        Message first = message(1);
        stack.push(first);
        stack.drain();
        stack.push(message(2));
        stack.push(message(3));
        stack.unlink(first);
        assertThat(fromTop()).containsExactly(3, 2);
        assertThat(drained()).containsExactly(2, 3);
    }

    @Test
    void unlinkedMessagesDoNotKeepNewerOnesAlive() {
        Message first = message(1);
        stack.push(first);
        stack.push(message(2));
        stack.drain();
        stack.unlink(first);
        assertThat(first.newer).isNull();
    }

    @Test
    void aClosedStackRefuses() {
        stack.push(message(1));
        assertThat(stack.close(Message.end(0))).isTrue();
        assertThat(stack.push(message(2))).isFalse();
        assertThat(stack.close(Message.end(5))).isFalse();
        assertThat(MessageStack.isEnd(stack.topAcquire())).isTrue();
        assertThat(stack.topAcquire().when).isZero();
        Message only = stack.drain();
        assertThat(only.what).isEqualTo(1);
        stack.unlink(only);
        assertThat(stack.topAcquire().nextOpaque()).isNull();
    }

    @Test
    void anySequenceOfPushDrainAndUnlinkLeavesTheRightOnes() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            MessageStack s = new MessageStack();
            List<Message> expected = new ArrayList<>();
            List<Message> drained = new ArrayList<>();
            for (int step = 0; step < 200; step++) {
                switch (random.nextInt(4)) {
                    case 0, 1 -> {
                        Message m = message(step);
                        s.push(m);
                        expected.add(0, m);
                    }
                    case 2 -> {
                        for (Message m = s.drain(); m != null; m = m.newer) {
                            drained.add(m);
                        }
                    }
                    default -> {
                        if (!drained.isEmpty()) {
                            Message m = drained.remove(random.nextInt(drained.size()));
                            s.unlink(m);
                            expected.remove(m);
                        }
                    }
                }
                List<Message> actual = new ArrayList<>();
                for (Message m = s.topAcquire(); m != null; m = m.nextOpaque()) {
                    actual.add(m);
                }
                assertThat(actual).as("seed %d, step %d", seed, step).containsExactlyElementsOf(expected);
            }
        }
    }
}

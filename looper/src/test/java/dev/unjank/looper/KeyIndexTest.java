package dev.unjank.looper;

import static dev.unjank.looper.queue.NodeState.casFreshToClaimed;
import static dev.unjank.looper.queue.NodeState.isQueued;
import static dev.unjank.looper.queue.NodeState.setQueuedPlain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.looper.queue.KeyIndex;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The index in isolation. */
class KeyIndexTest {
    private final Handler handler = new Handler(Looper.create(LooperOptions.defaults()));
    private final Handler other = new Handler(handler.getLooper());

    private static Message queued(Message m) {
        casFreshToClaimed(m);
        setQueuedPlain(m, 0);
        return m;
    }

    private Message code(Handler target, int what) {
        return queued(Message.obtain(target, what));
    }

    private static List<Message> found(KeyIndex index, MessageMatcher match, KeyIndex.Found expected) {
        List<Message> found = new ArrayList<>();
        KeyIndex.Found outcome = index.search(match.key, match.codeZero, m -> {
            if (isQueued(m) && match.test((Message) m)) {
                found.add((Message) m);
            }
            return false;
        });
        assertThat(outcome).isEqualTo(expected);
        return found;
    }

    @Test
    void findsByHandlerAndCodeAmongMany() {
        KeyIndex index = new KeyIndex(10_000);
        Message[] messages = new Message[10_000];
        for (int i = 0; i < messages.length; i++) {
            messages[i] = code(i % 2 == 0 ? handler : other, i);
            MessageKeys.enter(messages[i], index);
        }
        for (int i = 0; i < messages.length; i++) {
            MessageMatcher match = MessageMatcher.code(i % 2 == 0 ? handler : other, i, null);
            List<Message> visited = new ArrayList<>();
            KeyIndex.Found outcome = index.search(match.key, match.codeZero, m -> !visited.add((Message) m));
            if (outcome == KeyIndex.Found.ALL) {
                assertThat(visited).contains(messages[i]).hasSizeLessThan(5);
            }
        }
    }

    @Test
    void nearlyAllFindAPlace() {
        KeyIndex index = new KeyIndex(10_000);
        for (int i = 0; i < 10_000; i++) {
            MessageKeys.enter(code(handler, i), index);
        }
        int unsure = 0;
        for (int i = 0; i < 20_000; i++) {
            MessageMatcher match = MessageMatcher.code(handler, i, null);
            if (index.search(match.key, match.codeZero, m -> false) == KeyIndex.Found.INCOMPLETE) {
                unsure++;
            }
        }
        assertThat(unsure).isLessThan(20);
        assertThat(index.isFull()).isFalse();
    }

    @Test
    void manyOfOneKeyAreAllFound() {
        KeyIndex index = new KeyIndex(1);
        List<Message> all = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            Message m = code(handler, 7);
            all.add(m);
            MessageKeys.enter(m, index);
            MessageKeys.enter(code(other, 7), index);
        }
        assertThat(found(index, MessageMatcher.code(handler, 7, null), KeyIndex.Found.ALL))
                .containsExactlyElementsOf(all);
        assertThat(found(index, MessageMatcher.code(handler, 8, null), KeyIndex.Found.ALL))
                .isEmpty();
    }

    @Test
    void aVisitorCanStopTheSearch() {
        KeyIndex index = new KeyIndex(1);
        MessageKeys.enter(code(handler, 7), index);
        MessageKeys.enter(code(handler, 7), index);
        MessageMatcher match = MessageMatcher.code(handler, 7, null);
        int[] visits = {0};
        assertThat(index.search(match.key, match.codeZero, m -> ++visits[0] == 1))
                .isEqualTo(KeyIndex.Found.STOPPED);
        assertThat(visits[0]).isEqualTo(1);
    }

    @Test
    void aMessageSentAndRemovedRepeatedlyLeavesNoTail() {
        KeyIndex index = new KeyIndex(1);
        MessageKeys.enter(code(handler, 7), index);
        for (int i = 0; i < 10_000; i++) {
            Message m = code(handler, 7);
            MessageKeys.enter(m, index);
            m.tryRemove();
        }
        int[] visits = {0};
        MessageMatcher match = MessageMatcher.code(handler, 7, null);
        index.search(match.key, match.codeZero, m -> ++visits[0] < 0);
        assertThat(visits[0]).isEqualTo(2);
        assertThat(index.isFull()).isFalse();
    }

    @Test
    void runnablesAreFoundByIdentityAndByTheirCode() {
        KeyIndex index = new KeyIndex(1);
        Runnable r = () -> {};
        Message plain = queued(Message.obtain(handler, r));
        Message coded = Message.obtain(handler, r);
        coded.what = 3;
        queued(coded);
        MessageKeys.enter(coded, index);
        assertThat(found(index, MessageMatcher.code(handler, 0, null), KeyIndex.Found.ALL))
                .isEmpty();
        MessageKeys.enter(plain, index);
        assertThat(found(index, MessageMatcher.callback(handler, r, null), KeyIndex.Found.ALL))
                .containsExactly(coded, plain);
        assertThat(found(index, MessageMatcher.code(handler, 3, null), KeyIndex.Found.ALL))
                .containsExactly(coded);
        // code 0 means every Runnable without a code: the index does not have them under it, and reports INCOMPLETE
        assertThat(found(index, MessageMatcher.code(handler, 0, null), KeyIndex.Found.INCOMPLETE))
                .isEmpty();
    }

    @Test
    void barriersAreFoundByToken() {
        KeyIndex index = new KeyIndex(1);
        Message barrier = Message.barrier(9, 5);
        setQueuedPlain(barrier, 0);
        MessageKeys.enter(barrier, index);
        assertThat(found(index, MessageMatcher.barrier(9), KeyIndex.Found.ALL)).containsExactly(barrier);
        assertThat(found(index, MessageMatcher.barrier(8), KeyIndex.Found.ALL)).isEmpty();
    }

    @Test
    void aFullWindowIsReportedAsIncomplete() {
        KeyIndex index = new KeyIndex(1);
        List<Integer> denied = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            MessageKeys.enter(code(handler, i), index);
        }
        assertThat(index.isFull()).isTrue();
        for (int i = 0; i < 1_000; i++) {
            MessageMatcher match = MessageMatcher.code(handler, i, null);
            boolean[] found = {false};
            KeyIndex.Found outcome = index.search(match.key, match.codeZero, m -> found[0] |= match.test((Message) m));
            if (outcome == KeyIndex.Found.ALL && !found[0]) {
                denied.add(i);
            }
        }
        assertThat(denied).isEmpty();
    }

    @Test
    void deadMessagesAreLeftOut() {
        KeyIndex index = new KeyIndex(1);
        Message m = code(handler, 1);
        m.tryRemove();
        MessageKeys.enter(m, index);
        int[] visits = {0};
        MessageMatcher match = MessageMatcher.code(handler, 1, null);
        assertThat(index.search(match.key, match.codeZero, x -> ++visits[0] < 0))
                .isEqualTo(KeyIndex.Found.ALL);
        assertThat(visits[0]).isZero();
    }
}

package dev.unjank.looper;

import static dev.unjank.looper.queue.NodeState.RECYCLED;
import static dev.unjank.looper.queue.NodeState.casFreshToClaimed;
import static dev.unjank.looper.queue.NodeState.casQueuedToTaken;
import static dev.unjank.looper.queue.NodeState.life;
import static dev.unjank.looper.queue.NodeState.setQueuedPlain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.queue.Node;
import dev.unjank.looper.task.QueuedTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The life of a message in isolation. */
class MessageStateTest {
    private Message queued() {
        Message m = Message.obtain();
        assertThat(casFreshToClaimed(m)).isTrue();
        setQueuedPlain(m, 0);
        return m;
    }

    @Test
    void takenOrRemovedOnceAndNeverBoth() {
        Message taken = queued();
        assertThat(casQueuedToTaken(taken)).isTrue();
        assertThat(casQueuedToTaken(taken)).isFalse();
        assertThat(taken.tryRemove()).isFalse();
        Message removed = queued();
        assertThat(removed.tryRemove()).isTrue();
        assertThat(removed.tryRemove()).isFalse();
        assertThat(casQueuedToTaken(removed)).isFalse();
    }

    /** A thread may cancel a message while its sender puts it into a queue that refuses it. */
    @Test
    void whatWasRemovedBeforeItWasRefusedIsReleasedOnce() {
        AtomicInteger released = new AtomicInteger();
        Message m = Message.obtain();
        m.callback = new QueuedTask() {
            @Override
            public void run() {}

            @Override
            public void released(Node message) {
                released.incrementAndGet();
            }
        };
        assertThat(casFreshToClaimed(m)).isTrue();
        setQueuedPlain(m, 0);
        assertThat(m.tryRemove()).isTrue();
        m.refuse();
        assertThat(released).hasValue(1);
        Message other = queued();
        other.refuse();
        assertThat(life(other)).isEqualTo(RECYCLED);
    }

    @Test
    void losingARemovalLeavesThePayload() {
        Message m = queued();
        m.what = 5;
        casQueuedToTaken(m);
        m.tryRemove();
        assertThat(m.what).isEqualTo(5);
    }

    @Test
    void barrierMessagesCannotBeSent() {
        assertThatThrownBy(() -> Message.barrier(1, 5).recycle()).isInstanceOf(IllegalStateException.class);
    }
}

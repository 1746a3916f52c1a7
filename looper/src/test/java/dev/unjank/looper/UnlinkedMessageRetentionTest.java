package dev.unjank.looper;

import static dev.unjank.looper.queue.NodeState.nextOpaque;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.looper.fixture.ManualLooper;
import dev.unjank.looper.queue.MessageGenerations;
import dev.unjank.looper.queue.Node;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Messages that the lock-free queue has unlinked keep alive only messages that were below them and still live. This
 * holds for a cancelled timer that still has its place in the order, and for a message kept as a handle.
 */
class UnlinkedMessageRetentionTest {
    private static final int BURST = 10_000;
    /** With this many live messages the queue is not purged before each sleep. */
    private static final int TIMERS = 100;

    private final ManualLooper hand = new ManualLooper(QueueKind.LOCK_FREE);

    /** How many messages a message keeps alive by its link. */
    private static int keptAliveBy(Message message) {
        int n = 0;
        for (Node m = nextOpaque(message); m != null; m = nextOpaque(m)) {
            n++;
        }
        return n;
    }

    private void sendTimers() {
        for (int i = 0; i < TIMERS; i++) {
            hand.handler.sendEmptyMessageDelayed(1, 1_000_000);
        }
        hand.runDue(); // settles them
    }

    private List<Message> sendBurst() {
        List<Message> burst = new ArrayList<>();
        for (int i = 0; i < BURST; i++) {
            Message m = hand.handler.obtainMessage(2);
            hand.handler.sendMessage(m);
            burst.add(m);
        }
        return burst;
    }

    private void goToSleep() {
        boolean[] asleep = {false};
        hand.waker.whileAsleep(() -> {
            asleep[0] = true;
            hand.post("wakes it");
        });
        hand.runUntil(hand.log.size() + 1);
        assertThat(asleep[0]).isTrue();
    }

    @Test
    void aCancelledTimerDoesNotKeepTheBurstBeforeIt() {
        sendTimers();
        sendBurst();
        Message timer = hand.handler.obtainMessage(3);
        hand.handler.sendMessageDelayed(timer, 900_000);
        hand.post("above it"); // the newest stays linked in any case
        assertThat(hand.runUntil(1)).as("the looper knows all of them now").hasSize(1);
        assertThat(keptAliveBy(timer)).isGreaterThan(BURST);
        timer.cancel();
        hand.runDue();
        goToSleep();
        assertThat(keptAliveBy(timer)).isLessThanOrEqualTo(TIMERS + 1);
    }

    @Test
    void aTimeoutCancelledWhileTheLooperIsBusyDoesNotKeepThoseBeforeIt() {
        sendTimers();
        hand.post("runs first");
        Message last = null;
        for (int i = 0; i < MessageGenerations.TOLERATED - 1; i++) { // one more would trigger a purge
            last = hand.handler.obtainMessage(3);
            hand.handler.sendMessageDelayed(last, 900_000 - i);
        }
        hand.post("above them"); // the newest stays linked in any case
        hand.runUntil(1);
        assertThat(keptAliveBy(last)).isGreaterThan(MessageGenerations.TOLERATED);
        for (Node m = last; m != null && ((Message) m).what == 3; m = nextOpaque(m)) {
            ((Message) m).cancel();
        }
        hand.runDue();
        goToSleep();
        assertThat(keptAliveBy(last)).isLessThanOrEqualTo(TIMERS + 1);
    }

    @Test
    void aHandleDoesNotKeepTheBurstThatItWasSentIn() {
        sendTimers();
        List<Message> burst = sendBurst();
        hand.runDue();
        goToSleep();
        assertThat(burst).allSatisfy(m -> assertThat(keptAliveBy(m)).isLessThanOrEqualTo(TIMERS + 1));
    }

    @Test
    void purgingLeavesNoTrailEither() {
        List<Message> timers = new ArrayList<>();
        for (int i = 0; i < 10 * MessageGenerations.TOLERATED; i++) {
            Message m = hand.handler.obtainMessage(3);
            hand.handler.sendMessageDelayed(m, 1_000_000 + i);
            timers.add(m);
        }
        hand.runDue();
        goToSleep();
        timers.subList(TIMERS, timers.size()).forEach(Message::cancel);
        hand.runDue();
        goToSleep();
        assertThat(timers.subList(TIMERS, timers.size()))
                .allSatisfy(m -> assertThat(keptAliveBy(m)).isLessThanOrEqualTo(TIMERS));
    }
}

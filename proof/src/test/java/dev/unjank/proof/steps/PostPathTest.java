package dev.unjank.proof.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.looper.QueueKind;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The cost of a post, and the locks that it can reach. */
class PostPathTest {
    /** Every method that sends, removes, searches, or quits. */
    private static final Set<String> PATHS = Set.of(
            "Handler.post",
            "Handler.postAtTime",
            "Handler.postDelayed",
            "Handler.postAtFrontOfQueue",
            "Handler.sendMessage",
            "Handler.sendEmptyMessage",
            "Handler.sendEmptyMessageDelayed",
            "Handler.sendEmptyMessageAtTime",
            "Handler.sendMessageDelayed",
            "Handler.sendMessageAtTime",
            "Handler.sendMessageAtFrontOfQueue",
            "Handler.removeCallbacks",
            "Handler.removeMessages",
            "Handler.removeCallbacksAndMessages",
            "Handler.hasMessages",
            "Handler.hasCallbacks",
            "Message.sendToTarget",
            "Message.cancel",
            "MessageQueue.isIdle",
            "MessageQueue.postSyncBarrier",
            "MessageQueue.removeSyncBarrier",
            "Looper.quit",
            "Looper.quitSafely");

    /** Without observers: the calls of observers are not the looper's. */
    @Test
    void noMonitorCanBeReachedWithTheLockFreeQueue() throws Exception {
        CallGraph.Reach reach = new CallGraph(Set.of("MonitorQueue", "ObserverList")).from(PATHS);
        assertThat(reach.methods()).contains("LockFreeQueue.insert", "ParkingWaker.wake");
        assertThat(reach.monitors()).isEmpty();
        assertThat(reach.calls()).allMatch(PermittedCalls::isPermitted);
    }

    /** The test of the test. */
    @Test
    void withTheMonitorQueueAMonitorIsReached() throws Exception {
        assertThat(new CallGraph(Set.of("LockFreeQueue")).from(PATHS).monitors())
                .contains("MonitorQueue.insert", "MonitorQueue.quit");
    }

    @Test
    void onePostIsOneReadModifyWriteOnSharedMemory() {
        PostCost cost = PostCost.steady(QueueKind.LOCK_FREE);
        assertThat(cost.readModifyWrites()).isEqualTo(1);
        assertThat(cost.fences()).isZero();
        assertThat(cost.monitors()).isZero();
    }

    /** The test of the test. */
    @Test
    void theMonitorQueueEntersItsMonitor() {
        assertThat(PostCost.steady(QueueKind.MONITOR).monitors()).isEqualTo(1);
    }

    @Test
    void aSleepingLoopCostsMore() {
        PostCost cost = PostCost.asleep(QueueKind.LOCK_FREE);
        assertThat(cost.readModifyWrites()).isGreaterThan(1);
        assertThat(cost.monitors()).isZero();
    }
}

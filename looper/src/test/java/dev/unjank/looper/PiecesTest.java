package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The small pieces by themselves. */
@Timeout(30)
class PiecesTest {
    @Nested
    class Tombstone {
        private Message queued() {
            Message m = Message.obtain();
            assertThat(m.casFreshToQueued()).isTrue();
            return m;
        }

        @Test
        void takenOrRemovedOnceAndNeverBoth() {
            Message taken = queued();
            assertThat(taken.casQueuedToTaken()).isTrue();
            assertThat(taken.casQueuedToTaken()).isFalse();
            assertThat(taken.tryRemove()).isFalse();
            Message removed = queued();
            assertThat(removed.tryRemove()).isTrue();
            assertThat(removed.tryRemove()).isFalse();
            assertThat(removed.casQueuedToTaken()).isFalse();
        }

        @Test
        void losingARemovalLeavesThePayload() {
            Message m = queued();
            m.what = 5;
            m.casQueuedToTaken();
            m.tryRemove();
            assertThat(m.what).isEqualTo(5);
        }
    }

    @Nested
    class Removed {
        private final RemovedList list = new RemovedList();

        @Test
        void countsAndGivesUpAllAtOnce() {
            assertThat(list.takeAll()).isNull();
            Message a = Message.obtain();
            Message b = Message.obtain();
            assertThat(list.isEmptyVolatile()).isTrue();
            assertThat(list.push(a)).isEqualTo(1);
            assertThat(list.push(b)).isEqualTo(2);
            assertThat(list.isEmptyVolatile()).isFalse();
            assertThat(list.takeAll()).isSameAs(b);
            assertThat(b.nextRemoved).isSameAs(a);
            assertThat(a.nextRemoved).isNull();
            assertThat(list.isEmptyVolatile()).isTrue();
            assertThat(list.push(Message.obtain())).isEqualTo(1);
        }
    }

    @Nested
    class Wait {
        private final WaitState state = new WaitState();

        private Message due(long when, byte kind) {
            Message m = Message.obtain();
            m.when = when;
            m.kind = kind;
            return m;
        }

        @Test
        void onlyEarlierMessagesEndASleep() {
            WaitState.Parked parked = new WaitState.Parked(10, 20);
            assertThat(parked.mustEndFor(due(9, Node.SYNCHRONOUS))).isTrue();
            assertThat(parked.mustEndFor(due(10, Node.SYNCHRONOUS))).isFalse();
            assertThat(parked.mustEndFor(due(19, Node.ASYNCHRONOUS))).isTrue();
            assertThat(parked.mustEndFor(due(20, Node.ASYNCHRONOUS))).isFalse();
            assertThat(parked.mustEndFor(due(0, Node.BARRIER))).isFalse();
        }

        @Test
        void aLateWakerCannotHitALaterSleep() {
            assertThat(state.parkedVolatile()).isNull();
            WaitState.Parked first = new WaitState.Parked(1, 1);
            state.setParkedVolatile(first);
            assertThat(state.parkedVolatile()).isSameAs(first);
            state.setAwakeOpaque();
            WaitState.Parked second = new WaitState.Parked(1, 1);
            state.setParkedVolatile(second);
            state.casParkedToAwake(first);
            assertThat(state.parkedVolatile()).isSameAs(second);
            state.casParkedToAwake(second);
            assertThat(state.parkedVolatile()).isNull();
        }
    }

    @Nested
    class Gate {
        private final AtomicInteger freed = new AtomicInteger();
        private final QuitGate gate = new QuitGate(freed::incrementAndGet);

        @Test
        void anEmptyGateFreesWhenItIsClosed() {
            gate.close();
            assertThat(freed).hasValue(1);
            gate.close();
            assertThat(freed).hasValue(1);
            assertThat(gate.enter()).isFalse();
        }

        @Test
        void theLastOneOutFrees() {
            assertThat(gate.enter()).isTrue();
            assertThat(gate.enter()).isTrue();
            gate.close();
            assertThat(gate.enter()).isFalse();
            gate.leave();
            assertThat(freed).hasValue(0);
            gate.leave();
            assertThat(freed).hasValue(1);
        }

        @Test
        void leavingAnOpenGateFreesNothing() {
            gate.enter();
            gate.leave();
            assertThat(freed).hasValue(0);
            gate.close();
            assertThat(freed).hasValue(1);
        }
    }

    @Nested
    class Parking {
        private final ParkingWaker waker = new ParkingWaker();

        @Test
        void aWakeBeforeTheSleepSticksOnce() {
            waker.wake();
            waker.wake();
            waker.await(Waker.FOREVER);
            long start = System.nanoTime();
            waker.await(2_000_000);
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(2_000_000);
        }

        @Test
        void anInterruptNeitherEndsTheSleepNorIsLost() {
            Thread.currentThread().interrupt();
            long start = System.nanoTime();
            waker.await(2_000_000);
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(2_000_000);
            assertThat(Thread.interrupted()).isTrue();
        }

        @Test
        void anotherThreadWakes() throws Exception {
            Thread sleeper = new Thread(() -> waker.await(Waker.FOREVER));
            sleeper.start();
            while (sleeper.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            waker.wake();
            sleeper.join();
        }
    }

    @Test
    void barrierMessagesCannotBeSent() {
        assertThatThrownBy(() -> Message.barrier(1, 5).recycle()).isInstanceOf(IllegalStateException.class);
    }
}

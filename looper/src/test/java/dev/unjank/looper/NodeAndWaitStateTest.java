package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.spi.Waker;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Node, WaitState, CloseGate and ParkingWaker, each in isolation. */
class NodeAndWaitStateTest {
    @Nested
    class Tombstone {
        private Message queued() {
            Message m = Message.obtain();
            assertThat(m.casFreshToClaimed()).isTrue();
            m.setQueuedPlain(0);
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

        /** A thread may cancel a message while its sender puts it into a queue that refuses it. */
        @Test
        void whatWasRemovedBeforeItWasRefusedIsReleasedOnce() {
            AtomicInteger released = new AtomicInteger();
            Message m = Message.obtain();
            m.callback = new QueuedTask() {
                @Override
                public void run() {}

                @Override
                public void released(Message message) {
                    released.incrementAndGet();
                }
            };
            assertThat(m.casFreshToClaimed()).isTrue();
            m.setQueuedPlain(0);
            assertThat(m.tryRemove()).isTrue();
            m.refuse();
            assertThat(released).hasValue(1);
            Message other = queued();
            other.refuse();
            assertThat(other.life()).isEqualTo(Node.RECYCLED);
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
    class Wait {
        private final WaitState state = new WaitState();

        @Test
        void onlyEarlierMessagesEndASleep() {
            WaitState.Parked parked = new WaitState.Parked(10, 20, 3);
            assertThat(parked.mustWakeFor(Node.SYNCHRONOUS, 9)).isTrue();
            assertThat(parked.mustWakeFor(Node.SYNCHRONOUS, 10)).isFalse();
            assertThat(parked.mustWakeFor(Node.ASYNCHRONOUS, 19)).isTrue();
            assertThat(parked.mustWakeFor(Node.ASYNCHRONOUS, 20)).isFalse();
            assertThat(parked.mustWakeFor(Node.BARRIER, 0)).isFalse();
        }

        @Test
        void enoughRemovalsEndASleep() {
            WaitState.Parked parked = new WaitState.Parked(10, 20, 3);
            assertThat(parked.mustWakeAfterRemovals(2)).isFalse();
            assertThat(parked.mustWakeAfterRemovals(3)).isTrue();
        }

        @Test
        void aLateWakerCannotHitALaterSleep() {
            assertThat(state.parkedVolatile()).isNull();
            WaitState.Parked first = new WaitState.Parked(1, 1, 1);
            state.setParkedVolatile(first);
            assertThat(state.parkedVolatile()).isSameAs(first);
            state.setAwakeOpaque();
            WaitState.Parked second = new WaitState.Parked(1, 1, 1);
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
        private final CloseGate gate = new CloseGate(freed::incrementAndGet);

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
        private final Waker waker = Waker.parking();

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

package dev.unjank.locks.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.linux.LinuxThreads;
import dev.unjank.locks.Importance;
import dev.unjank.locks.TestThreads;
import java.util.BitSet;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HandoffTest {
    private static final int ROUNDS = 5_000;

    private static Handoff open(HandoffStrategy strategy) {
        assumeTrue(strategy.obstacle() == null, strategy::obstacle);
        return new Handoff(strategy);
    }

    @ParameterizedTest
    @EnumSource
    void twoThreadsRunInTurns(HandoffStrategy strategy) {
        Handoff handoff = open(strategy);
        WaitSlot ours = handoff.newWaitSlot();
        WaitSlot theirs = handoff.newWaitSlot();
        int[] count = {0}; // no thread looks at it while the other may
        try (TestThreads threads = new TestThreads()) {
            threads.start(() -> {
                try (Handoff.Membership _ = handoff.join()) {
                    for (int i = 0; i < ROUNDS; i++) {
                        ours.await();
                        assertThat(count[0]++).isEqualTo(2 * i);
                        theirs.release();
                    }
                }
            });
            threads.start(() -> {
                try (Handoff.Membership _ = handoff.join()) {
                    for (int i = 0; i < ROUNDS; i++) {
                        handoff.swap(ours, theirs);
                        assertThat(count[0]++).isEqualTo(2 * i + 1);
                    }
                }
            });
        }
        assertThat(count[0]).isEqualTo(2 * ROUNDS);
    }

    @ParameterizedTest
    @EnumSource
    void aReleaseBeforehandPreventsOneSleep(HandoffStrategy strategy) {
        Handoff handoff = open(strategy);
        WaitSlot seat = handoff.newWaitSlot();

        seat.release();
        seat.release();

        assertThat(seat.await(0)).isTrue();
        assertThat(seat.await(1_000_000)).isFalse();
        assertThat(handoff.swap(seat, seat, 0)).isTrue();
        assertThat(seat.await(-1)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptEndsNoSleepAndIsKept(HandoffStrategy strategy) {
        Handoff handoff = open(strategy);
        WaitSlot seat = handoff.newWaitSlot();
        CountDownLatch gaveUp = new CountDownLatch(1);
        try (TestThreads threads = new TestThreads()) {
            TestThreads.Task<Boolean> sleeper = threads.call(() -> {
                Thread.currentThread().interrupt();
                assertThat(seat.await(2_000_000)).isFalse();
                gaveUp.countDown();
                seat.await();
                return Thread.currentThread().isInterrupted();
            });
            TestThreads.until(() -> gaveUp.getCount() == 0 && seat.state() == WaitSlot.ASLEEP);
            seat.release();
            assertThat(sleeper.get()).isTrue();
        }
    }

    @Test
    void joinedThreadsShareAProcessorAndThenRegainTheirAffinity() {
        Handoff handoff = open(HandoffStrategy.SAME_PROCESSOR);
        try (TestThreads threads = new TestThreads()) {
            BitSet first;
            BitSet before = LinuxThreads.affinity(LinuxThreads.SELF);
            try (Handoff.Membership _ = handoff.join()) {
                first = LinuxThreads.affinity(LinuxThreads.SELF);
                BitSet second = threads.call(() -> {
                            LinuxThreads.pinTo(
                                    LinuxThreads.SELF,
                                    before); // it has inherited the affinity of the thread that started it
                            BitSet during;
                            try (Handoff.Membership _ = handoff.join()) {
                                during = LinuxThreads.affinity(LinuxThreads.SELF);
                            }
                            assertThat(LinuxThreads.affinity(LinuxThreads.SELF)).isEqualTo(before);
                            return during;
                        })
                        .get();
                assertThat(first.cardinality()).isEqualTo(1);
                assertThat(second).isEqualTo(first);
            }
            assertThat(LinuxThreads.affinity(LinuxThreads.SELF)).isEqualTo(before);
        }
    }

    @Test
    void onlyTheThreadItselfLeaves() {
        Handoff handoff = open(HandoffStrategy.SAME_PROCESSOR);
        try (TestThreads threads = new TestThreads()) {
            Handoff.Membership stay = handoff.join();
            threads.start(() -> assertThatThrownBy(stay::close).isInstanceOf(IllegalStateException.class));
            stay.close();
            stay.close();
        }
    }

    @Test
    void aVirtualThreadParks() {
        Handoff pinned = open(HandoffStrategy.SAME_PROCESSOR);
        try (TestThreads threads = new TestThreads()) {
            threads.start(Thread.ofVirtual(), Importance.ORDINARY, () -> {
                assertThatThrownBy(pinned::join).isInstanceOf(UnsupportedOperationException.class);
                new Handoff(HandoffStrategy.PARKING).join().close();
                return null;
            });
        }
    }

    @Test
    void theBestStrategyIsOneThatCanBeHad() {
        assertThat(HandoffStrategy.best().obstacle()).isNull();
        assertThat(HandoffStrategy.PARKING.obstacle()).isNull();
        assertThat(new Handoff(HandoffStrategy.best()).strategy()).isEqualTo(HandoffStrategy.best());
    }
}

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
        WaitSlot ours = handoff.newSeat();
        WaitSlot theirs = handoff.newSeat();
        int[] count = {0}; // no thread looks at it while the other may
        try (TestThreads threads = new TestThreads()) {
            threads.start(() -> {
                try (Handoff.Stay _ = handoff.join()) {
                    for (int i = 0; i < ROUNDS; i++) {
                        ours.await();
                        assertThat(count[0]++).isEqualTo(2 * i);
                        theirs.give();
                    }
                }
            });
            threads.start(() -> {
                try (Handoff.Stay _ = handoff.join()) {
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
    void whoIsLetGoBeforehandDoesNotSleepAndOnlyOnce(HandoffStrategy strategy) {
        Handoff handoff = open(strategy);
        WaitSlot seat = handoff.newSeat();

        seat.give();
        seat.give();

        assertThat(seat.await(0)).isTrue();
        assertThat(seat.await(1_000_000)).isFalse();
        assertThat(handoff.swap(seat, seat, 0)).isTrue();
        assertThat(seat.await(-1)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptEndsNoSleepAndIsKept(HandoffStrategy strategy) {
        Handoff handoff = open(strategy);
        WaitSlot seat = handoff.newSeat();
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
            seat.give();
            assertThat(sleeper.get()).isTrue();
        }
    }

    @Test
    void whoHasJoinedRunsWhereTheOthersRunAndAfterwardsWhereItDid() {
        Handoff handoff = open(HandoffStrategy.SAME_PROCESSOR);
        try (TestThreads threads = new TestThreads()) {
            BitSet first;
            BitSet before = LinuxThreads.processors(LinuxThreads.SELF);
            try (Handoff.Stay _ = handoff.join()) {
                first = LinuxThreads.processors(LinuxThreads.SELF);
                BitSet second = threads.call(() -> {
                            LinuxThreads.runOn(
                                    LinuxThreads.SELF, before); // it has inherited where it may run from who started it
                            BitSet during;
                            try (Handoff.Stay _ = handoff.join()) {
                                during = LinuxThreads.processors(LinuxThreads.SELF);
                            }
                            assertThat(LinuxThreads.processors(LinuxThreads.SELF))
                                    .isEqualTo(before);
                            return during;
                        })
                        .get();
                assertThat(first.cardinality()).isEqualTo(1);
                assertThat(second).isEqualTo(first);
            }
            assertThat(LinuxThreads.processors(LinuxThreads.SELF)).isEqualTo(before);
        }
    }

    @Test
    void onlyTheThreadItselfLeaves() {
        Handoff handoff = open(HandoffStrategy.SAME_PROCESSOR);
        try (TestThreads threads = new TestThreads()) {
            Handoff.Stay stay = handoff.join();
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

package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.unjank.record.agent.AgentProtocol;
import java.util.List;
import org.junit.jupiter.api.Test;

class LockOwnerSamplesTest {
    private static final long MS = 1_000_000;
    private static final List<String> STACK = List.of(
            "void java.lang.Thread.sleep(long)(Thread.java:1)", "void a.B.c()(B.java:2)", "void a.B.d()(B.java:3)");

    private final LockOwnerSamples sightings = new LockOwnerSamples();

    @Test
    void aWaitGetsWhatWasSeenFirstWithinIt() {
        sightings.add(seen(5, 7, 100, AgentProtocol.MONITOR, List.of()));
        sightings.add(seen(15, 8, 100, AgentProtocol.MONITOR, List.of()));
        sightings.add(seen(25, 9, 100, AgentProtocol.MONITOR, List.of()));

        assertThat(sightings
                        .of(100, AgentProtocol.MONITOR, null, 10 * MS, 30 * MS)
                        .owner())
                .isEqualTo(8);
        assertThat(sightings.of(100, AgentProtocol.MONITOR, null, 30 * MS, 40 * MS))
                .isNull();
        assertThat(sightings.of(101, AgentProtocol.MONITOR, null, 0, 40 * MS)).isNull();
        assertThat(sightings.of(100, AgentProtocol.PARK, null, 0, 40 * MS)).isNull();
    }

    /** A thread waits for one lock, gets it, and at once waits for another. */
    @Test
    void whatWasSeenOfTheWaitBeforeIsNotTheNextOnes() {
        sightings.add(seen(5, 5, 7, "a.Lock"));
        sightings.add(seen(99.9, 5, 7, "a.Lock"));

        assertThat(sightings.of(100, AgentProtocol.MONITOR, null, 100 * MS, 130 * MS))
                .as("first seen long before")
                .isNull();

        sightings.add(seen(110, 110, 8, "a.Lock"));

        assertThat(sightings
                        .of(100, AgentProtocol.MONITOR, null, 100 * MS, 130 * MS)
                        .owner())
                .isEqualTo(8);
        assertThat(sightings
                        .of(100, AgentProtocol.MONITOR, null, 4 * MS, 99 * MS)
                        .owner())
                .isEqualTo(7);
    }

    @Test
    void aShortWaitJustBeforeIsAnotherOneIfThisOneWasSeenToo() {
        sightings.add(seen(99.9, 99.9, 7, "a.Lock"));

        assertThat(sightings
                        .of(100, AgentProtocol.MONITOR, "a.Lock", 100 * MS, 130 * MS)
                        .owner())
                .as("a wait may begin a little after it was seen")
                .isEqualTo(7);
        assertThat(sightings.of(100, AgentProtocol.MONITOR, "a.Other", 100 * MS, 130 * MS))
                .isNull();

        sightings.add(seen(110, 110, 8, "a.Lock"));

        assertThat(sightings
                        .of(100, AgentProtocol.MONITOR, "a.Lock", 100 * MS, 130 * MS)
                        .owner())
                .isEqualTo(8);
    }

    @Test
    void whatBeginsBehindAWaitIsTheNextOnes() {
        sightings.add(seen(130.1, 130.1, 7, "a.Lock"));

        assertThat(sightings.of(100, AgentProtocol.MONITOR, null, 100 * MS, 130 * MS))
                .isNull();
        assertThat(sightings.of(100, AgentProtocol.MONITOR, null, 130 * MS, 140 * MS))
                .isNotNull();
    }

    @Test
    void classesAreComparedAsFarAsTheyAreKnown() {
        assertThat(seen(1, 1, 7, "[Ljava.lang.Object;").mayBeOf("java.lang.Object[]"))
                .isTrue();
        assertThat(seen(1, 1, 7, "a.Lock").mayBeOf(null)).isTrue();
        assertThat(seen(1, 1, 7, "").mayBeOf("a.Lock")).isTrue();
        assertThat(seen(1, 1, 7, "a.Lock$$Lambda/0x01").mayBeOf("a.Lock$$Lambda+0x01"))
                .isTrue();
        assertThat(seen(1, 1, 7, "a.Lock").mayBeOf("a.Lock[]")).isFalse();
    }

    @Test
    void aLaterLookAtTheSameOwnerCountsIfOnlyItHasAStack() {
        sightings.add(seen(15, 8, 100, AgentProtocol.MONITOR, List.of()));
        sightings.add(seen(25, 8, 100, AgentProtocol.MONITOR, STACK));
        sightings.add(seen(26, 9, 100, AgentProtocol.MONITOR, STACK));

        assertThat(sightings
                        .of(100, AgentProtocol.MONITOR, null, 10 * MS, 30 * MS)
                        .stack())
                .isEqualTo(STACK);
    }

    /** A java.util.concurrent lock changes its owner during a wait: each owner is found. */
    @Test
    void furtherOwnersBeginWithTheirFirstSample() {
        sightings.add(seen(5, 7, 100, AgentProtocol.PARK, List.of()));
        sightings.add(seen(15, 7, 100, AgentProtocol.PARK, List.of()));
        sightings.add(seen(25, 8, 100, AgentProtocol.PARK, List.of()));
        sightings.add(seen(35, 8, 100, AgentProtocol.PARK, STACK));
        sightings.add(seen(45, 9, 100, AgentProtocol.PARK, List.of()));
        sightings.add(seen(65, 7, 100, AgentProtocol.PARK, List.of()));
        LockOwnerSample first = sightings.of(100, AgentProtocol.PARK, null, 4 * MS, 60 * MS);

        assertThat(first.owner()).isEqualTo(7);
        assertThat(sightings.handOvers(first, 60 * MS))
                .extracting(LockOwnerSample::owner, LockOwnerSample::ns, LockOwnerSample::stack)
                .containsExactly(tuple(8L, 25 * MS, STACK), tuple(9L, 45 * MS, List.of()));
        assertThat(sightings.handOvers(first, 20 * MS)).isEmpty();
    }

    @Test
    void whatGoesOnIsTheLastOfEachWaiter() {
        sightings.add(seen(5, 7, 100, AgentProtocol.MONITOR, List.of()));
        sightings.add(seen(15, 8, 100, AgentProtocol.MONITOR, STACK));
        sightings.add(seen(10, 9, 101, AgentProtocol.MONITOR, List.of()));

        assertThat(sightings.goingOn(15 * MS))
                .extracting(LockOwnerSample::owner)
                .containsExactly(8L);
        assertThat(sightings.goingOn(10 * MS))
                .extracting(LockOwnerSample::owner)
                .containsExactlyInAnyOrder(8L, 9L);
        assertThat(sightings.goingOn(16 * MS)).isEmpty();

        sightings.over(100);
        sightings.over(102);
        assertThat(sightings.goingOn(0)).extracting(LockOwnerSample::owner).containsExactly(9L);

        sightings.add(seen(17, 7, 100, AgentProtocol.MONITOR, List.of()));
        assertThat(sightings.goingOn(0)).extracting(LockOwnerSample::owner).containsExactlyInAnyOrder(7L, 9L);
    }

    @Test
    void aBlockedThreadsSiteHasNoTypes() {
        JavaThreads none = new JavaThreads(1);

        BlockedThread blocked = BlockedThread.of(seen(1, 8, 100, AgentProtocol.MONITOR, STACK), none);

        assertThat(blocked.site()).isEqualTo("a.B.c  B.java:2");
        assertThat(blocked.isMonitor()).isTrue();
        assertThat(blocked.owner()).isEqualTo(new BlockedThread.ThreadRef(8, -1, "Java thread 8"));
        assertThat(BlockedThread.of(seen(1, 8, 100, AgentProtocol.PARK, List.of()), none)
                        .site())
                .isNull();
        assertThat(BlockedThread.of(seen(1, 8, 100, AgentProtocol.PARK, List.of(LockSliceNames.UNKNOWN_SITE)), none)
                        .site())
                .isNull();
    }

    @Test
    void whereTheOwnerIsIsOutsideOfTheLibrary() {
        assertThat(seen(1, 8, 100, AgentProtocol.MONITOR, STACK).site()).isEqualTo(STACK.get(1));
        assertThat(seen(1, 8, 100, AgentProtocol.MONITOR, STACK.subList(0, 1)).site())
                .isEqualTo(STACK.get(0));
        assertThat(seen(1, 8, 100, AgentProtocol.MONITOR, List.of()).site()).isNull();
    }

    @Test
    void theOldestAreForgotten() {
        for (int i = 0; i < 70_000; i++) {
            sightings.add(seen(i, 8, i % 3, AgentProtocol.MONITOR, List.of()));
        }

        assertThat(sightings.of(0, AgentProtocol.MONITOR, null, 0, 1000 * MS)).isNull();
        assertThat(sightings.of(69_999 % 3, AgentProtocol.MONITOR, null, 69_999 * MS, 69_999 * MS))
                .isNotNull();
    }

    private static LockOwnerSample seen(double ms, double sinceMs, long owner, String lock) {
        return new LockOwnerSample(
                Math.round(ms * MS),
                Math.round(sinceMs * MS),
                100,
                owner,
                AgentProtocol.MONITOR,
                lock,
                false,
                List.of());
    }

    private static LockOwnerSample seen(long ms, long owner, long waiter, byte how, List<String> stack) {
        return new LockOwnerSample(ms * MS, ms * MS, waiter, owner, how, "a.Lock", false, stack);
    }
}

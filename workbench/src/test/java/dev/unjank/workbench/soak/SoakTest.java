package dev.unjank.workbench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.looper.FaultInjection;
import dev.unjank.looper.QueueKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class SoakTest {
    private static final long SEED = 20;
    private static final int THREADS = 4;
    private static final int QUICK_ROUNDS = 100;
    private static final int LONG_ROUNDS = 4_000;
    /** The most rounds that a fault may stay hidden. */
    private static final int ROUNDS_TO_FIND = 60;
    /** The most rounds until all has been reached that takes many messages. */
    private static final int ROUNDS_TO_REACH = 1_000;

    private static List<SoakFailure> findings(Soak soak, int rounds) throws InterruptedException {
        List<SoakFailure> found = new ArrayList<>();
        long seed = SEED;
        for (int round = 0; round < rounds && found.isEmpty(); round++) {
            soak.play(seed, found::add);
            seed = Soak.next(seed);
        }
        return found;
    }

    @ParameterizedTest
    @EnumSource
    void aLooperStandsIt(QueueKind kind) throws InterruptedException {
        assertThat(findings(new Soak(List.of(kind), THREADS), QUICK_ROUNDS)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Tag("long")
    void aLooperStandsItForLong(QueueKind kind) throws InterruptedException {
        assertThat(findings(new Soak(List.of(kind), THREADS), LONG_ROUNDS)).isEmpty();
    }

    /** The test of the test: each sort of round finds each fault, or the fault says that it cannot. */
    @ParameterizedTest
    @EnumSource
    void aFaultIsFound(SoakFault fault) throws InterruptedException {
        assertThat(whatIsFound(fault, false)).as("by one thread").matches(fault.toOneThread);
        assertThat(whatIsFound(fault, true)).as("by many threads").matches(fault.toManyThreads);
    }

    private static String whatIsFound(SoakFault fault, boolean concurrent) throws InterruptedException {
        List<SoakFailure> found = new ArrayList<>();
        Soak soak = new Soak(List.of(QueueKind.LOCK_FREE), THREADS, fault.door(), fault.patienceNanos());
        long seed = firstSeed(concurrent);
        for (int round = 0; round < ROUNDS_TO_FIND && found.isEmpty(); round++) {
            soak.play(seed, found::add);
            seed = Soak.next(Soak.next(seed));
        }
        return found.isEmpty() ? "nothing" : found.getFirst().what();
    }

    /** The same with faults inside of the queue, which only show when there are many messages. */
    @ParameterizedTest
    @CsvSource({
        "DROPS_ONE_OF_EACH_SORTED_DRAIN, false",
        "DROPS_ONE_OF_EACH_SORTED_DRAIN, true",
        "CUTS_THE_LIVING_AMONG_THE_YOUNG, false",
        "CUTS_THE_LIVING_AMONG_THE_YOUNG, true"
    })
    void aFaultThatNeedsACrowdIsFound(FaultInjection.Fault fault, boolean concurrent) throws Exception {
        Function<Long, List<List<String>>> rounds = FaultInjectionSoak.newRounds(fault);
        List<String> found = List.of();
        long seed = firstSeed(concurrent);
        for (int round = 0; round < ROUNDS_TO_REACH && found.isEmpty(); round++) {
            found = rounds.apply(seed).getFirst();
            seed = Soak.next(Soak.next(seed));
        }
        assertThat(found).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsThereForCrowdsIsReached(boolean concurrent) throws Exception {
        Function<Long, List<List<String>>> rounds = FaultInjectionSoak.newRounds(FaultInjection.Fault.NONE);
        List<String> reached = List.of();
        long seed = firstSeed(concurrent);
        for (int round = 0; round < ROUNDS_TO_REACH && reached.size() < FaultInjectionSoak.REACHABLE.size(); round++) {
            List<List<String>> foundAndReached = rounds.apply(seed);
            assertThat(foundAndReached.getFirst()).isEmpty();
            reached = foundAndReached.getLast();
            seed = Soak.next(Soak.next(seed));
        }
        assertThat(reached).containsExactlyInAnyOrderElementsOf(FaultInjectionSoak.REACHABLE);
    }

    private static long firstSeed(boolean concurrent) {
        return SEED + (concurrent ? 1 : 0);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 20, -7})
    void theTwoSortsOfRoundsTakeTurns(long seed) {
        assertThat(LongStream.iterate(seed, Soak::next).limit(10).mapToObj(Soak::isConcurrent))
                .containsSubsequence(true, false, true, false, true, false);
        assertThat(LongStream.iterate(seed, Soak::next).limit(1_000).distinct()).hasSize(1_000);
    }

    @Test
    void aDeterministicRoundReplaysExactly() throws InterruptedException {
        List<String> first = new ArrayList<>();
        List<String> second = new ArrayList<>();
        for (List<String> what : List.of(first, second)) {
            Soak soak = new Soak(
                    List.of(QueueKind.LOCK_FREE),
                    1,
                    SoakFault.CANCELS_NOTHING.door(),
                    SoakFault.CANCELS_NOTHING.patienceNanos());
            for (long seed = SEED; what.isEmpty(); seed = Soak.next(Soak.next(seed))) {
                soak.replay(seed, finding -> what.add(finding.seed() + withoutIdentities(finding.what())));
            }
        }
        assertThat(first).isEqualTo(second);
    }

    private static String withoutIdentities(String what) {
        return what.replaceAll("(Lambda[^ ,\\]]*|\\{[0-9a-f]+\\}|@[0-9a-f]+)", "#");
    }
}

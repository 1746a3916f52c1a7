package dev.unjank.trace.collections;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Compares with the JDK's sort of objects, which is stable too. */
class StableSortTest {
    @Test
    void nothingAndOneKey() {
        assertThat(StableSort.sort(new long[0])).isEmpty();
        assertThat(StableSort.sort(new long[] {7})).containsExactly(0);
    }

    @Test
    void anythingIsSortedAndEqualKeysKeepTheirOrder() {
        Random random = new Random(17);
        for (int round = 0; round < 500; round++) {
            int distinct = 1 + random.nextInt(1 + round);
            check(LongStream.generate(() -> random.nextInt(distinct) - distinct / 2)
                    .limit(random.nextInt(200))
                    .toArray());
        }
    }

    @Test
    void interleavedSourcesAreSorted() {
        Random random = new Random(18);
        for (int round = 0; round < 200; round++) {
            long[] clocks = new long[1 + random.nextInt(9)];
            check(LongStream.generate(() -> clocks[random.nextInt(clocks.length)] += random.nextInt(3))
                    .limit(300)
                    .toArray());
        }
    }

    @Test
    void theExtremesOfTheRangeAreOrdinaryKeys() {
        check(new long[] {Long.MAX_VALUE, 0, Long.MIN_VALUE, Long.MAX_VALUE, -1, Long.MIN_VALUE});
    }

    private static void check(long[] keys) {
        int[] expected = IntStream.range(0, keys.length)
                .boxed()
                .sorted(Comparator.comparingLong(i -> keys[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        long[] sorted = keys.clone();

        assertThat(StableSort.sort(sorted)).containsExactly(expected);
        assertThat(sorted)
                .isSorted()
                .containsExactly(IntStream.of(expected).mapToLong(i -> keys[i]).toArray());
    }
}

package dev.unjank.trace.collections;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BinarySearchTest {
    private static final int[] SORTED = {1, 3, 3, 3, 7};

    private static int firstAtLeast(int value) {
        return BinarySearch.first(0, SORTED.length, i -> SORTED[i] >= value);
    }

    @Test
    void findsTheFirstOfEqualValues() {
        assertThat(firstAtLeast(3)).isEqualTo(1);
        assertThat(firstAtLeast(4)).isEqualTo(4);
    }

    @Test
    void returnsTheEndsOfTheRange() {
        assertThat(firstAtLeast(0)).isZero();
        assertThat(firstAtLeast(8)).isEqualTo(SORTED.length);
        assertThat(BinarySearch.first(2, 4, i -> true)).isEqualTo(2);
        assertThat(BinarySearch.first(2, 4, i -> false)).isEqualTo(4);
        assertThat(BinarySearch.first(5, 5, i -> true)).isEqualTo(5);
    }
}

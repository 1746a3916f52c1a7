package dev.unjank.workbench.bench.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is compared does the same. */
class HeapStudyTest {
    private static final long[] EXTREMES = {
        Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1, Long.MAX_VALUE - 1, Long.MAX_VALUE
    };

    record Key(long major, long minor) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            return major != other.major ? Long.compare(major, other.major) : Long.compare(minor, other.minor);
        }
    }

    static Stream<Class<? extends HeapTemplate>> variants() {
        return HeapStudy.ALL.stream();
    }

    @ParameterizedTest
    @MethodSource("variants")
    void everyVariantSortsWhatIsAdded(Class<? extends HeapTemplate> variant) throws ReflectiveOperationException {
        for (int size : new int[] {1, 2, 5, 17, 1000}) {
            HeapTemplate heap = variant.getDeclaredConstructor().newInstance();
            List<Key> keys = keys(size);
            keys.forEach(key -> heap.add(key, key.major, key.minor));
            assertThat(drain(heap)).isEqualTo(keys.stream().sorted().toList());
        }
    }

    @ParameterizedTest
    @MethodSource("variants")
    void everyVariantSortsWhatIsAppended(Class<? extends HeapTemplate> variant) throws ReflectiveOperationException {
        for (int size : new int[] {1, 2, 5, 17, 1000}) {
            HeapTemplate heap = variant.getDeclaredConstructor().newInstance();
            List<Key> keys = keys(size);
            keys.forEach(key -> heap.append(key, key.major, key.minor));
            heap.heapify();
            assertThat(drain(heap)).isEqualTo(keys.stream().sorted().toList());
        }
    }

    private static List<Key> keys(int size) {
        Random random = new Random(size);
        return Stream.generate(
                        () -> new Key(extreme(random), random.nextBoolean() ? random.nextLong() : extreme(random)))
                .distinct()
                .limit(size)
                .toList();
    }

    private static long extreme(Random random) {
        return EXTREMES[random.nextInt(EXTREMES.length)];
    }

    private static List<Key> drain(HeapTemplate heap) {
        List<Key> drained = new ArrayList<>();
        while (heap.size() > 0) {
            drained.add((Key) heap.removeFirst());
        }
        return drained;
    }
}

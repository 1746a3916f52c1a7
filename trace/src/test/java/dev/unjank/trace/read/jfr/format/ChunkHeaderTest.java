package dev.unjank.trace.read.jfr.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The search for a chunk behind damage. */
class ChunkHeaderTest {
    private static final byte[] START = {'F', 'L', 'R', 0, 0, 2, 0, 1};
    private static final long FROM = 100;
    private static final long LIMIT = 4_096;
    private static final long SIZE = 4 * LIMIT;

    @ParameterizedTest
    @CsvSource({"0, true", "1, true", "4095, true", "4096, false", "8000, false"})
    void aChunkWithinTheLimitIsFound(long distance, boolean isFound) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment file = arena.allocate(SIZE);
            MemorySegment.copy(MemorySegment.ofArray(START), 0, file, FROM + distance, START.length);
            assertThat(ChunkHeader.next(file, FROM, LIMIT)).isEqualTo(isFound ? FROM + distance : SIZE);
        }
    }
}

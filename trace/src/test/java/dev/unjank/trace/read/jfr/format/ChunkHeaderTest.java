package dev.unjank.trace.read.jfr.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The search for a chunk behind damage. */
class ChunkHeaderTest {
    private static final byte[] START = {'F', 'L', 'R', 0, 0, 2, 0, 1};
    private static final long FROM = 100;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 4_095, ChunkHeader.SEARCHED - 1})
    void aChunkWithinTheLimitIsFound(long distance) throws IOException {
        assertThat(search(FROM + distance)).isEqualTo(FROM + distance);
    }

    /** The file is sparse: it has no contents but a chunk's first bytes. */
    @ParameterizedTest
    @ValueSource(longs = {ChunkHeader.SEARCHED, ChunkHeader.SEARCHED + 4_096})
    void theSearchEndsAtTheLimit(long distance) throws IOException {
        assertThat(search(FROM + distance)).isEqualTo(4 * ChunkHeader.SEARCHED);
    }

    private long search(long chunk) throws IOException {
        try (RandomAccessFile file =
                        new RandomAccessFile(folder.resolve("sparse.jfr").toFile(), "rw");
                Arena arena = Arena.ofConfined()) {
            file.setLength(4 * ChunkHeader.SEARCHED);
            file.seek(chunk);
            file.write(START);
            return ChunkHeader.next(file.getChannel().map(MapMode.READ_ONLY, 0, file.length(), arena), FROM);
        }
    }
}

package dev.unjank.cli.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When one file is the beginning of another, as they are and packed. */
class FileComparisonTest {
    /** So much is compared at once. */
    private static final int CHUNK = 1 << 16;

    private static final int LENGTH = 2 * CHUNK + 100;

    @TempDir
    private Path folder;

    private static byte[] whole() {
        byte[] bytes = new byte[LENGTH];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    private static byte[] packed(byte[] bytes) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(bytes);
        }
        return packed.toByteArray();
    }

    private boolean isBeginning(byte[] part, byte[] whole) throws IOException {
        return FileComparison.isBeginning(
                Files.write(folder.resolve("part"), part), Files.write(folder.resolve("whole"), whole));
    }

    /** As long as a chunk, or a byte more or less: there the comparison goes on with the next. */
    @ParameterizedTest
    @ValueSource(ints = {1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, LENGTH - 1})
    void whatIsCutIsABeginning(int length) throws IOException {
        byte[] part = Arrays.copyOf(whole(), length);
        assertThat(isBeginning(part, whole())).isTrue();
        assertThat(isBeginning(packed(part), whole())).isTrue();
        assertThat(isBeginning(part, packed(whole()))).isTrue();
        assertThat(isBeginning(packed(part), packed(whole()))).isTrue();
    }

    /** Nothing is the beginning of everything, and the same file is no part of itself; longer ones are none either. */
    @ParameterizedTest
    @CsvSource({"0", "131173"})
    void nothingAndMoreAreNoBeginnings(int length) throws IOException {
        byte[] part = Arrays.copyOf(whole(), length);
        assertThat(isBeginning(part, whole())).isFalse();
        assertThat(isBeginning(packed(part), whole())).isFalse();
        assertThat(isBeginning(part, packed(whole()))).isFalse();
    }

    @Test
    void theSameFileIsNoPartOfItself() throws IOException {
        assertThat(isBeginning(whole(), whole())).isFalse();
        assertThat(isBeginning(packed(whole()), packed(whole()))).isFalse();
    }

    /** One byte is enough, wherever it is. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, CHUNK - 1, CHUNK, CHUNK + 6})
    void whatDiffersIsNone(int at) throws IOException {
        byte[] part = Arrays.copyOf(whole(), CHUNK + 7);
        part[at] ^= 1;
        assertThat(isBeginning(part, whole())).isFalse();
        assertThat(isBeginning(packed(part), whole())).isFalse();
        assertThat(isBeginning(part, packed(whole()))).isFalse();
        assertThat(isBeginning(packed(part), packed(whole()))).isFalse();
    }

    /** A packed file that was cut cannot be unpacked to its end, and is a beginning as it is. */
    @Test
    void aPackedFileThatWasCut() throws IOException {
        byte[] packed = packed(whole());
        byte[] cut = Arrays.copyOf(packed, packed.length / 2);
        assertThat(isBeginning(cut, packed)).isTrue();
        assertThat(isBeginning(cut, whole())).isFalse();
    }
}

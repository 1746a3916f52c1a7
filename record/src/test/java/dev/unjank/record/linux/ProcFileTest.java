package dev.unjank.record.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are longer than the memory, in bytes, in a line, or in lines. */
class ProcFileTest {
    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("file");
    }

    private void lengthen(long bytes) throws IOException {
        try (RandomAccessFile longer = new RandomAccessFile(file.toFile(), "rw")) {
            longer.setLength(bytes);
        }
    }

    @Test
    void theBeginningOfATextIsRead() throws IOException {
        Files.writeString(file, "caf\u00e9\n");
        assertThat(ProcFile.text(file)).isEqualTo("caf\u00e9\n");
        lengthen(8L << 30);
        assertThat(ProcFile.text(file)).startsWith("caf\u00e9\n\0").hasSizeLessThanOrEqualTo(1 << 16);
        assertThat(ProcFile.bytes(file, 5)).isEqualTo("caf\u00e9".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void linesAreSearchedUpToTheFirst() throws IOException {
        List<String> lines = new ArrayList<>();
        Files.writeString(file, "a\n\nbc\nlast");
        assertThat(ProcFile.<String>first(file, line -> {
                    lines.add(line);
                    return null;
                }))
                .isNull();
        assertThat(lines).containsExactly("a", "", "bc", "last");
        assertThat(ProcFile.<String>first(file, line -> line.startsWith("b") ? line : null))
                .isEqualTo("bc");
    }

    @Test
    void moreBytesThanTheLimitAreRefused() throws IOException {
        lengthen(1L << 42);
        assertThatThrownBy(() -> ProcFile.<String>first(file, _ -> null))
                .isInstanceOf(IOException.class)
                .hasMessage(file + " exceeds the limit of 128 MB");
    }

    @Test
    void ofALongLineTheBeginningIsLookedAt() throws IOException {
        Files.writeString(file, "x".repeat(3 << 16) + "\ny\n");
        List<Integer> lengths = new ArrayList<>();
        assertThat(ProcFile.<String>first(file, line -> {
                    lengths.add(line.length());
                    return null;
                }))
                .isNull();
        assertThat(lengths).containsExactly(ProcFile.LONGEST_LINE, 1);
    }
}

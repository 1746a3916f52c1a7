package dev.unjank.trace.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.scene.LauncherExample;
import dev.unjank.scene.TraceInvariants;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.systrace.SystraceReaderTest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces in archives and in compressed data, at any depth. */
class TraceArchiveTest {
    private static final byte[] EXAMPLE = LauncherExample.trace();

    @TempDir
    private Path dir;

    private Trace read(byte[] bytes) throws IOException {
        Trace trace = TraceReader.read(Files.write(dir.resolve("a.zip"), bytes));
        TraceInvariants.check(trace);
        return trace;
    }

    static byte[] zip(Map<String, byte[]> entries) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue());
            }
        }
        return out.toByteArray();
    }

    @Test
    void theOneTraceOfAnArchiveIsFound() throws IOException {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        entries.put("folder/", new byte[0]);
        entries.put("folder/readme.txt", "nothing".getBytes(UTF_8));
        entries.put("folder/trace", SystraceReaderTest.gzip(EXAMPLE));
        entries.put("picture.png", new byte[] {(byte) 0x89, 'P', 'N', 'G'});
        Trace trace = read(zip(entries));

        assertThat(TraceRowText.rows(trace)).isEqualTo(TraceRowText.rows(read(EXAMPLE)));
        assertThat(trace.name()).isEqualTo("a.zip");
        assertThat(trace.warnings())
                .singleElement()
                .asString()
                .contains("2 files of the archive", "folder/readme.txt", "picture.png");
    }

    @Test
    void anArchiveWithinAnArchiveIsOpenedToo() throws IOException {
        byte[] inner = zip(Map.of("t", EXAMPLE));
        assertThat(TraceRowText.rows(read(zip(Map.of("inner.zip", inner)))))
                .isEqualTo(TraceRowText.rows(read(EXAMPLE)));
        assertThat(TraceRowText.rows(read(SystraceReaderTest.gzip(inner)))).isEqualTo(TraceRowText.rows(read(EXAMPLE)));
    }

    @Test
    void anArchiveWithoutATraceListsItsContent() throws IOException {
        assertUnusable(zip(Map.of("a.txt", "text".getBytes(UTF_8))), "zip archive contains no trace, only a.txt");
        assertUnusable(zip(Map.of()), "empty, truncated or damaged");
        byte[] deep = EXAMPLE;
        for (int i = 0; i < 4; i++) {
            deep = SystraceReaderTest.gzip(deep);
        }
        assertUnusable(deep, "too many times");
    }

    private void assertUnusable(byte[] bytes, String why) {
        assertThatThrownBy(() -> read(bytes))
                .isInstanceOf(UnusableTraceException.class)
                .hasMessageContaining(why)
                .message()
                .hasLineCount(1);
    }

    @Test
    void unpackingIsBounded() throws IOException {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        entries.put("trace", EXAMPLE);
        entries.put("zeros", new byte[64 << 20]);
        assertThat(read(zip(entries)).warnings()).anyMatch(line -> line.contains("exceeds the limit"));
        assertThatThrownBy(() -> read(SystraceReaderTest.gzip(SystraceReaderTest.gzip(new byte[64 << 20]))))
                .isInstanceOf(UnusableTraceException.class);
    }

    @Test
    void damageIsHeldOff() throws IOException {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        entries.put("one", EXAMPLE);
        entries.put("two.txt", "text".getBytes(UTF_8));
        entries.put("three", SystraceReaderTest.gzip(EXAMPLE));
        byte[] good = zip(entries);
        Random random = new Random(11);
        for (int i = 0; i < 200; i++) {
            byte[] bytes = i % 4 == 0 ? Arrays.copyOf(good, random.nextInt(good.length)) : good.clone();
            for (int flips = random.nextInt(6); flips > 0 && bytes.length > 0; flips--) {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            try {
                read(bytes);
            } catch (UnusableTraceException e) {
                assertThat(e).message().hasLineCount(1);
            }
        }
    }

    @Test
    void traceAndTextOfOneMachineBecomeOne() throws IOException {
        Trace twice = read(zip(Map.of("a", EXAMPLE, "b", EXAMPLE)));
        assertThat(twice.warnings()).anyMatch(line -> line.contains("scheduler events are in"));
        assertThat(List.of(twice.startNs(), twice.endNs()))
                .isEqualTo(List.of(read(EXAMPLE).startNs(), read(EXAMPLE).endNs()));
    }
}

package dev.unjank.fleet.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.unjank.fleet.run.FleetTestRuns;
import dev.unjank.fleet.task.TraceLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

public class TraceArchiveFormatsTest {

    private static final String LONG = "a-folder-with-a-long-name/".repeat(5) + "c";

    @TempDir
    private Path folder;

    private static Map<String, String> contents(Path archive) throws Exception {
        Map<String, String> contents = new LinkedHashMap<>();
        ReadTimeLimit limit = new ReadTimeLimit(TraceLimits.DEFAULT.time());
        TraceArchive.forEach(FleetTestRuns.file(archive), limit, entry -> {
            if (!entry.name().equals("skipped")) {
                contents.put(entry.name(), new String(entry.content().readAllBytes(), StandardCharsets.UTF_8));
            }
        });
        return contents;
    }

    @Test
    void aZip() throws Exception {
        Path archive = folder.resolve("t.zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
            for (String name : new String[] {"a", "d/", "d/b", "d/x.csv", "__MACOSX/a", ".DS_Store", "../c"}) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write(name.getBytes(StandardCharsets.UTF_8));
            }
        }

        assertThat(contents(archive))
                .containsExactly(Map.entry("a", "a"), Map.entry("d/b", "d/b"), Map.entry("../c", "../c"));
    }

    @Test
    void aZipWithANameThatIsNoText() throws Exception {
        Path archive = folder.resolve("t.zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive), StandardCharsets.ISO_8859_1)) {
            for (String name : new String[] {"a", "\u00e4"}) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write(name.getBytes(StandardCharsets.UTF_8));
            }
        }

        assertThat(contents(archive)).containsExactly(Map.entry("a", "a"), Map.entry("\u00e4", "\u00e4"));
    }

    @Test
    void anEncryptedZipSaysSo() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry("a"));
        }
        byte[] archive = bytes.toString(StandardCharsets.ISO_8859_1)
                .replaceAll("(?s)(PK\\x01\\x02.{4}).", "$1\t") // the flags in its directory
                .getBytes(StandardCharsets.ISO_8859_1);

        assertThat(damage("t.zip", archive)).isEqualTo("invalid CEN header (encrypted entry)");
    }

    @Test
    void aTarWithNamesOfAllKinds() throws Exception {
        for (String name : new String[] {"t.tar", "t.tgz", "t.TAR.GZ"}) {
            Path archive = folder.resolve(name);
            try (OutputStream file = Files.newOutputStream(archive);
                    OutputStream out = name.endsWith("r") ? file : new GZIPOutputStream(file)) {
                out.write(member("./a", '0', "first"));
                out.write(member("d", '5', ""));
                out.write(member("skipped", '0', "x".repeat(700)));
                out.write(member("././@LongLink", 'L', LONG + "\0"));
                out.write(member("cut", '0', "second"));
                out.write(member("PaxHeader", 'x', said("path", "d/\u00e4 and b")));
                out.write(member("cut", '0', ""));
                out.write(new byte[1024]);
            }

            assertThat(contents(archive))
                    .containsExactly(
                            Map.entry("./a", "first"), Map.entry(LONG, "second"), Map.entry("d/\u00e4 and b", ""));
        }
    }

    @Test
    void whatALongerTextOfATarContainsIsNoName() throws Exception {
        Path archive = folder.resolve("t.tar");
        try (OutputStream out = Files.newOutputStream(archive)) {
            out.write(member("PaxHeader", 'x', said("path", "a") + said("comment", "hello 11 path=foo\n11 path=bar")));
            out.write(member("?", '0', "first"));
            out.write(member("PaxHeader", 'x', said("path", "two\nlines")));
            out.write(member("?", '0', "second"));
            for (String broken :
                    new String[] {"0 path=x\n", "99 path=x\n", "7 path=x\n", "path=x\n", "9 path-x\n", "3 \n"}) {
                out.write(member("PaxHeader", 'x', broken + said("path", "behind what is broken")));
                out.write(member(broken.strip(), '0', "third"));
            }
        }

        assertThat(contents(archive).keySet())
                .containsExactly("a", "two\nlines", "0 path=x", "99 path=x", "7 path=x", "path=x", "9 path-x", "3");
    }

    /** From each of them on the rest was read. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aTextOfATarIsReadOnce() throws Exception {
        Path archive = folder.resolve("t.tar");
        try (OutputStream out = Files.newOutputStream(archive)) {
            out.write(member("PaxHeader", 'x', "1".repeat(1 << 20)));
            out.write(member("a", '0', "first"));
        }

        assertThat(contents(archive)).containsExactly(Map.entry("a", "first"));
    }

    /** A record of a POSIX extended header, which begins with its length. */
    private static String said(String key, String value) {
        String record = " " + key + "=" + value + "\n";
        int length = record.getBytes(StandardCharsets.UTF_8).length + 2;
        return length + record; // of 10 to 99 bytes
    }

    @Test
    void tarEntriesThatCannotBeReadHaveAReason() throws Exception {
        Path archive = folder.resolve("t.tar");
        try (OutputStream out = Files.newOutputStream(archive)) {
            out.write(member("in one piece", '7', "first"));
            byte[] link = member("hard", '1', "");
            put(link, 124, "00000001234"); // some write the size of the other file
            put(link, 157, "d/a");
            out.write(link);
            out.write(member("././@LongLink", 'K', LONG + "\0"));
            out.write(member("soft", '2', ""));
            byte[] holes = member("holes", 'S', "second");
            holes[482] = 1; // there are two more blocks that say where its pieces belong
            out.write(holes, 0, 512);
            byte[] pieces = new byte[512];
            pieces[504] = 1;
            out.write(pieces);
            out.write(new byte[512]);
            out.write(holes, 512, 512);
            out.write(member("PaxHeader", 'x', said("GNU.sparse.major", "1") + said("GNU.sparse.name", "d/holes")));
            out.write(member("GNUSparseFile.1/holes", '0', "third"));
            out.write(member("pipe", '6', ""));
            out.write(member("rest", 'M', "fourth"));
            out.write(member("odd", 'Q', "fifth"));
            out.write(member("last", '0', "sixth"));
            out.write(new byte[1024]);
        }
        Map<String, String> entries = new LinkedHashMap<>();
        TraceArchive.forEach(FleetTestRuns.file(archive), new ReadTimeLimit(TraceLimits.DEFAULT.time()), entry -> {
            String whyNot = entry.whyNot();
            entries.put(
                    entry.name(),
                    whyNot == null
                            ? new String(entry.content().readAllBytes(), StandardCharsets.UTF_8)
                            : entry.bytes() + ", " + whyNot);
        });

        String holes = ", is a sparse file (tar --sparse), which is not supported: unpack the archive";
        assertThat(entries)
                .containsExactly(
                        Map.entry("in one piece", "first"),
                        Map.entry("hard", "0, is a hard link: the same file as d/a"),
                        Map.entry("soft", "0, is a symbolic link, which is not followed: to " + LONG),
                        Map.entry("holes", "6" + holes),
                        Map.entry("d/holes", "5" + holes),
                        Map.entry("rest", "6, is the continuation of a file in another archive"),
                        Map.entry("odd", "5, has an unknown tar entry type ('Q')"),
                        Map.entry("last", "sixth"));
    }

    @Test
    void aDamagedArchiveSaysSo() throws Exception {
        byte[] whole = member("a", '0', "content that is longer than what is left of it");
        byte[] two = Arrays.copyOf(whole, 2 * whole.length);
        System.arraycopy(whole, 0, two, whole.length, whole.length);

        assertThat(damage("a.zip", "no zip".getBytes(StandardCharsets.UTF_8))).startsWith("zip END header not found");
        assertThat(damage("a.tar", "no tar".repeat(200).getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("is not a tar archive, or is damaged");
        assertThat(damage("within.tar", Arrays.copyOf(whole, 520))).isEqualTo("the archive ends within a");
        assertThat(damage("header.tar", Arrays.copyOf(two, whole.length + 100)))
                .isEqualTo("the archive ends within the name of a file");
        assertThat(damage("padding.tar", Arrays.copyOf(two, whole.length - 1))).isEqualTo("the archive ends within a");
        assertThat(damage("a.tgz", new byte[] {31})).isEqualTo("is truncated");
        for (String name : new String[] {"e.zip", "e.tar", "e.tar.gz"}) {
            assertThat(damage(name, new byte[0])).isEqualTo("is empty");
        }
    }

    /** Each look at the clock takes a second. */
    @Test
    void whatDoesNotComeInTimeSaysSo() throws Exception {
        Path tar = folder.resolve("t.tar");
        try (OutputStream out = Files.newOutputStream(tar)) {
            out.write(member("a", '0', "x".repeat(600_000)));
        }
        Path zip = folder.resolve("t.zip");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            out.putNextEntry(new ZipEntry("a"));
            out.write(new byte[600_000]);
        }
        Path tgz = folder.resolve("t.tgz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(tgz))) {
            byte[] noise = new byte[600_000];
            new Random(1).nextBytes(noise);
            out.write(member(".passed over", '0', noise));
        }

        for (Path archive : new Path[] {tar, zip, tgz}) {
            AtomicLong clock = new AtomicLong();
            ReadTimeLimit limit = new ReadTimeLimit(
                    Duration.ofSeconds(4),
                    () -> clock.getAndAdd(Duration.ofSeconds(1).toNanos()));
            assertThatIOException()
                    .as(archive.toString())
                    .isThrownBy(() ->
                            TraceArchive.forEach(FleetTestRuns.file(archive), limit, entry -> drain(entry.content())))
                    .withMessage("took longer than 4 s to read");
        }
    }

    private static void drain(InputStream in) throws IOException {
        try (in) {
            in.transferTo(OutputStream.nullOutputStream());
        }
    }

    private String damage(String name, byte[] content) throws Exception {
        Path archive = Files.write(folder.resolve(name), content);
        try {
            contents(archive);
            return "";
        } catch (IOException e) {
            return TraceArchive.reason(e);
        }
    }

    private static byte[] member(String name, char type, String content) throws IOException {
        return member(name, type, content.getBytes(StandardCharsets.UTF_8));
    }

    public static byte[] member(String name, char type, byte[] bytes) throws IOException {
        byte[] header = new byte[512];
        put(header, 0, name);
        put(header, 124, String.format("%011o", bytes.length));
        header[156] = (byte) type;
        put(header, 257, "ustar\00000");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(header);
        out.write(bytes);
        out.write(new byte[-bytes.length & 511]);
        return out.toByteArray();
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }
}

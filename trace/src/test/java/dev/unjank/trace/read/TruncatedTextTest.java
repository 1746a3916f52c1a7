package dev.unjank.trace.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.scene.LauncherExample;
import dev.unjank.scene.TraceInvariants;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.TraceGaps;
import dev.unjank.trace.model.TraceNote;
import dev.unjank.trace.read.systrace.SystraceFromPerfetto;
import dev.unjank.trace.read.systrace.SystraceReaderTest;
import dev.unjank.trace.write.WireFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Truncated text and truncated compressed data: the missing part is reported. */
class TruncatedTextTest {
    private static final String LINE = " app-10  (   10) [000] ...1 %d.000000: tracing_mark_write: B|10|x\n";

    @TempDir
    private Path dir;

    private Trace read(byte[] bytes) throws IOException {
        Trace trace = TraceReader.read(Files.write(dir.resolve("trace"), bytes));
        TraceInvariants.check(trace);
        return trace;
    }

    private Trace read(String text) throws IOException {
        return read(text.getBytes(UTF_8));
    }

    private void assertCut(Trace trace, String warning) {
        assertThat(trace.warnings()).anyMatch(line -> line.contains(warning));
        assertThat(trace.unreadParts())
                .singleElement()
                .asString()
                .startsWith("the missing end of " + dir.resolve("trace"));
        assertThat(TraceNote.sentences(TraceGaps.in(trace).warnings()))
                .allMatch(line -> line.startsWith("as far as it could be read"));
    }

    /** The truncated line would mean that thread 13 runs; its tid is 1358. */
    @Test
    void anIncompleteLineIsSkipped() throws IOException {
        String whole = LINE.formatted(1)
                + "  <idle>-0     (-----) [001] d..3 2.000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120"
                + " prev_state=R ==> next_comm=a next_pid=1358 next_prio=98\n";
        assertThat(read(whole).unreadParts()).isEmpty();

        Trace cut = read(whole.substring(0, whole.indexOf("58 next_prio")));
        assertCut(cut, "the text ends within a line; the rest is missing from the analysis");
        assertThat(cut.threads().find(13, cut.endNs())).isNegative();
        assertThat(cut.endNs()).isEqualTo(1_000_000_000L);
    }

    @Test
    void inAnyContainer() throws IOException {
        byte[] text = SystraceFromPerfetto.of(LauncherExample.scene().toBytes(WireFormat.PLAIN));
        byte[] packed = Base64.getMimeEncoder().encode(SystraceReaderTest.gzip(text));
        String stretch = "damaged or truncated part of compressed data";
        String page = "the page ends before its closing tag";
        assertEndIsMissed(text, "the text ends within a line");
        assertEndIsMissed(SystraceReaderTest.gzip(text), stretch);
        assertEndIsMissed(SystraceReaderTest.ctrace(text), stretch);
        assertEndIsMissed(TraceArchiveTest.zip(Map.of("a", text)), stretch);
        assertEndIsMissed(SystraceReaderTest.page("<script class='trace-data'>\n", text), page);
        assertEndIsMissed(SystraceReaderTest.page("<script class='trace-data'>\n", packed), page);
    }

    private void assertEndIsMissed(byte[] whole, String warning) throws IOException {
        Trace trace = read(whole);
        assertThat(trace.warnings()).isEmpty();
        assertThat(trace.unreadParts()).isEmpty();
        for (int cut = 1; cut < 5; cut++) {
            assertCut(read(Arrays.copyOf(whole, whole.length / 2 + cut)), warning);
        }
    }

    /** Another section might have followed. The closing tag also occurs in a script, before the sections. */
    @Test
    void aPageWithoutItsClosingTag() throws IOException {
        String page = "<!DOCTYPE html><html><script>var template = '</html>';</script><script class='trace-data'>\n"
                + LINE.formatted(1) + "</script>\n</body>\n";
        assertCut(read(page), "the page ends before its closing tag");
        assertThat(read(page + "</HTML>\n").warnings()).isEmpty();
    }

    @Test
    void aTextNeedNotEndWithALineFeedBeforeTheTag() throws IOException {
        Trace trace = read("<!DOCTYPE html>\n<html><script class='trace-data'>\n" + LINE.formatted(1)
                + LINE.formatted(2).strip() + "</script></html>");
        assertThat(trace.unreadParts()).isEmpty();
        assertThat(trace.endNs()).isEqualTo(2_000_000_000L);
    }

    /** Between two files of an archive, within the header of the second, and within the central directory. */
    @Test
    void anArchiveWithoutItsEnd() throws IOException {
        byte[] text = LINE.formatted(1).getBytes(UTF_8);
        byte[] one = TraceArchiveTest.zip(Map.of("a", text));
        byte[] two = TraceArchiveTest.zip(new TreeMap<>(Map.of("a", text, "b", "nothing".getBytes(UTF_8))));
        assertThat(read(two).unreadParts()).isEmpty();
        int end = Arrays.mismatch(one, two); // in the header of the second
        for (int cut : new int[] {end - 2, end + 2, end + 10, two.length - 22}) {
            assertCut(read(Arrays.copyOf(two, cut)), "damaged or truncated part of a zip archive");
        }
    }

    @Test
    void packetsInAnArchiveWithoutItsEnd() throws IOException {
        byte[] zip = TraceArchiveTest.zip(Map.of("t", LauncherExample.trace()));
        assertCut(read(Arrays.copyOf(zip, zip.length / 2)), "damaged or truncated part of compressed data");
    }

    /** All packets are there; only the end of the compressed data would show that these are all. */
    @Test
    void packetsInTruncatedCompressedData() throws IOException {
        byte[] packed = SystraceReaderTest.gzip(LauncherExample.trace());
        Trace cut = read(Arrays.copyOf(packed, packed.length - 4));
        assertCut(cut, "damaged or truncated part of compressed data");
        assertThat(TraceRowText.rows(cut)).isEqualTo(TraceRowText.rows(read(LauncherExample.trace())));
    }

    /** The checksum detects damage only after all packets, or after a truncated one. */
    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void damagedCompressionIsReportedOnce(int missing) throws IOException {
        byte[] example = LauncherExample.trace();
        byte[] packed = SystraceReaderTest.gzip(Arrays.copyOf(example, example.length - missing));
        packed[packed.length - 5] ^= 1;
        Trace trace = read(packed);
        assertThat(trace.warnings()).hasSize(missing == 0 ? 1 : 2);
        assertThat(trace.unreadParts()).containsExactly("the part after the damage in " + dir.resolve("trace"));
    }
}

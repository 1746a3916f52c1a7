package dev.unjank.trace.read;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fixture.RealTraces;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The bounds of every available trace are those of its events, not of lists of processes and clock marks. */
class TraceBoundsTest {
    private static final Pattern TIME =
            Pattern.compile("(?m)^.*-\\d+ .*\\[\\d+\\] .*? (\\d+\\.\\d+): (?!.*clock_sync)");
    private static final String LISTS = """
            PROCESS DUMP
            USER PID PPID VSZ RSS WCHAN PC S NAME COMM
            root 900001 1 0 0 x 0 S one one
            USER PID PPID VSZ RSS WCHAN PC S NAME COMM
            root 900002 1 0 0 x 0 S two two
            dummy-0000  [000] 0.0: 0: trace_event_clock_sync: parent_ts=0.0
            """;

    @TempDir
    private Path dir;

    static List<String> perfetto() {
        return RealTraces.names().stream()
                .filter(name -> name.contains("trace") && name.matches(".*[.-]p?f?trace"))
                .toList();
    }

    static List<String> texts() {
        return List.of("tracecompass_youtube_atrace.txt", "trappy_surfaceflinger.html");
    }

    private static List<Long> bounds(Trace trace) {
        return List.of(trace.startNs(), trace.endNs());
    }

    private Trace read(byte[]... parts) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return TraceReader.read(Files.write(dir.resolve("trace"), all.toByteArray()));
    }

    /** Lists long before, within and long after the trace. */
    private static byte[] lists(Trace trace) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(out, WireFormat.PLAIN)) {
            for (long ts : new long[] {1, trace.startNs() + 1, trace.endNs() + 3_600_000_000_000L}) {
                writer.processTree(
                        ts,
                        List.of(new TraceWriter.ProcessEntry(900_001, 0, "one")),
                        List.of(new TraceWriter.ThreadEntry(900_002, 900_001, "two")));
            }
        }
        return out.toByteArray();
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("perfetto")
    void listsOfProcessesDoNotMoveTheBounds(String name) throws IOException {
        Trace trace = LoadedRealTraces.load(name);
        Trace listed = read(Files.readAllBytes(RealTraces.file(name)), lists(trace));
        assertThat(bounds(listed)).isEqualTo(bounds(trace));
        assertThat(listed.threads().size()).isEqualTo(trace.threads().size() + 2);
    }

    @ParameterizedTest
    @MethodSource("texts")
    void boundsAreThoseOfTheEvents(String name) throws IOException {
        byte[] bytes = Files.readAllBytes(RealTraces.file(name));
        List<Long> times = TIME.matcher(new String(bytes, ISO_8859_1))
                .results()
                .map(TraceBoundsTest::nanos)
                .sorted()
                .toList();
        Trace trace = LoadedRealTraces.load(name);
        assertThat(bounds(trace)).isEqualTo(List.of(times.getFirst(), times.getLast()));
    }

    private static long nanos(MatchResult line) {
        return new BigDecimal(line.group(1)).movePointRight(9).longValueExact();
    }

    @ParameterizedTest
    @MethodSource("texts")
    void aPageWithListsHasTheSameBounds(String name) throws IOException {
        String text = Files.readString(RealTraces.file(name), ISO_8859_1);
        String listed = name.endsWith(".html")
                ? text.replaceFirst("(<script class=\"trace-data\"[^>]*>\n)", "$1" + LISTS.replace("$", "\\$"))
                : LISTS + text;
        assertThat(listed).isNotEqualTo(text);
        Trace trace = read(listed.getBytes(ISO_8859_1));
        assertThat(bounds(trace)).isEqualTo(bounds(LoadedRealTraces.load(name)));
        assertThat(trace.warnings()).isEmpty();
    }
}

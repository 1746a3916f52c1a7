package dev.unjank.trace.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fixture.ArbitraryNames;
import dev.unjank.fixture.StringParsingClasses;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Machine;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.common.AtraceMarkParser;
import dev.unjank.trace.read.jfr.JfrNameParsers;
import dev.unjank.trace.read.perfetto.ArgKey;
import dev.unjank.trace.read.systrace.SystraceLine;
import dev.unjank.scene.Scene;
import dev.unjank.scene.TraceInvariants;
import dev.unjank.trace.text.TerminalText;
import dev.unjank.trace.write.TrackWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Test;

/** Every class that parses strings of a trace accepts any string. */
class ArbitraryTraceNamesTest {
    private static final Map<String, Consumer<String>> READERS = new TreeMap<>(JfrNameParsers.readers());

    /** Their input is lines of text, see {@link #anyLinesAreRead}. */
    private static final Set<String> OF_LINES =
            Set.of("SystraceReader", "SystraceEventParser", "KeyValueFields", "PsListing");

    /** These parse strings that the project itself wrote, or search for fixed words. */
    private static final Set<String> OF_OWN_STRINGS =
            Set.of("ByteScanner", "ChunkConstants", "PerfSampleWriter", "ProcessTempFiles", "SliceArgCopier");

    static {
        READERS.put("TerminalText", TerminalText::printable);
        READERS.put("Machine", Machine.Kernel::parse);
        READERS.put("AtraceMarkParser", ArbitraryTraceNamesTest::mark);
        READERS.put("SystraceLine", ArbitraryTraceNamesTest::line);
        READERS.put("ArgKey", ArbitraryTraceNamesTest::key);
        READERS.put("TrackWriter", name -> TrackWriter.ofCounter(1, name));
        READERS.put("SceneThread", name -> {
            Scene scene = new Scene();
            scene.process(1, name).mainThread(name, 120).begin(name).runs(0, 10).end();
            scene.toBytes(WireFormat.PLAIN);
        });
    }

    private static void mark(String name) {
        try (TraceBuilder builder = new TraceBuilder("marks")) {
            AtraceMarkParser parser = new AtraceMarkParser(builder);
            long ts = 0;
            for (String text : List.of(name, "B|1|" + name, "G|1|" + name, "C|1|" + name, "S|" + name, "E|" + name)) {
                byte[] bytes = text.getBytes(UTF_8);
                parser.parse(ts++, 1, bytes, 0, bytes.length);
            }
            TraceInvariants.check(builder.build());
        }
    }

    private static void line(String name) {
        SystraceLine line = new SystraceLine();
        for (String text : List.of(name, " " + name + "-1 ( 1) [000] ...1 1.000000: " + name)) {
            byte[] bytes = text.getBytes(UTF_8);
            if (line.parse(bytes, 0, bytes.length)) {
                line.event();
            }
        }
    }

    private static void key(String name) {
        try (TraceBuilder builder = new TraceBuilder("keys")) {
            new ArgKey(name).member(name).element(3).member(name).id(builder);
        }
    }

    private static List<String> names;

    private static synchronized List<String> names() {
        if (names == null) {
            names = ArbitraryNames.withReal(file -> {
                Trace trace = TraceReader.read(file);
                return IntStream.range(0, trace.strings().size())
                        .mapToObj(trace.strings()::get)
                        .toList();
            });
        }
        return names;
    }

    @Provide
    static Arbitrary<String> damaged() {
        return Arbitraries.frequencyOf(
                Tuple.of(9, Arbitraries.randomValue(random -> ArbitraryNames.damaged(random, names()))),
                Tuple.of(1, Arbitraries.strings().ofMaxLength(60)));
    }

    @Property(tries = 20_000, shrinking = ShrinkingMode.OFF)
    void anyNameIsRead(@ForAll("damaged") String name) {
        READERS.values().forEach(reader -> reader.accept(name));
    }

    @Property(tries = 150, shrinking = ShrinkingMode.OFF)
    void anyLinesAreRead(@ForAll long seed) throws IOException {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder("# tracer: nop\nUSER PID TID PPID NAME\n");
        for (int i = 0; i < 30; i++) {
            String name = ArbitraryNames.damaged(random, names());
            switch (random.nextInt(4)) {
                case 0 -> text.append(name);
                case 1 ->
                    text.append(" main-1 ( 1) [000] ...1 1.0000")
                            .append(10 + i)
                            .append(": ")
                            .append(name);
                case 2 ->
                    text.append(" main-1 ( 1) [000] ...1 1.0000")
                            .append(10 + i)
                            .append(": tracing_mark_write: ")
                            .append(name);
                default -> text.append("root ").append(name);
            }
            text.append('\n');
        }
        Path file = Files.createTempFile("unjank-lines-", "");
        try {
            TraceInvariants.check(
                    TraceReader.read(Files.write(file, text.toString().getBytes(UTF_8))));
        } catch (UnusableTraceException e) {
            assertThat(e.getMessage()).isNotBlank().doesNotContain("\n");
        } finally {
            Files.delete(file);
        }
    }

    /** A new class that parses strings must be added to one of the tables above. */
    @Test
    void everyClassIsListed() {
        Set<String> listed = new TreeSet<>(READERS.keySet());
        listed.addAll(OF_LINES);
        listed.addAll(OF_OWN_STRINGS);
        assertThat(StringParsingClasses.of("trace")).isEqualTo(listed);
    }
}

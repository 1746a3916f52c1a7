package dev.unjank.trace.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fixture.ArbitraryNames;
import dev.unjank.fixture.NameParsingProperties;
import dev.unjank.scene.Scene;
import dev.unjank.scene.TraceInvariants;
import dev.unjank.scene.TraceStrings;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Machine;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.proto.ThreadLife;
import dev.unjank.trace.read.common.AtraceMarkParser;
import dev.unjank.trace.read.common.MachineCounters;
import dev.unjank.trace.read.jfr.JfrNameParsers;
import dev.unjank.trace.read.perfetto.ArgKey;
import dev.unjank.trace.read.systrace.SystraceLine;
import dev.unjank.trace.text.LeadingInteger;
import dev.unjank.trace.text.TerminalText;
import dev.unjank.trace.write.PerfSampleWriter;
import dev.unjank.trace.write.TraceClock;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.TrackWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;

/** Every class that parses strings of a trace accepts any string. */
class ArbitraryTraceNamesTest extends NameParsingProperties {
    private static final Map<String, Consumer<String>> PARSERS = new TreeMap<>(JfrNameParsers.readers());

    /** Their input is lines of text, see {@link #anyLinesAreRead}. */
    private static final Set<String> OF_LINES =
            Set.of("SystraceReader", "SystraceEventParser", "KeyValueFields", "PsColumns", "PsListing");

    /** These parse strings that the project itself wrote, or search for fixed words. */
    private static final Set<String> OF_OWN_STRINGS = Set.of(
            "ByteScanner", "ChunkConstants", "MessageFile", "ProcessIdentity", "SliceArgCopier", "TraceFileFormat");

    static {
        PARSERS.put("LeadingInteger", LeadingInteger::parse);
        PARSERS.put("TerminalText", TerminalText::printable);
        PARSERS.put("ThreadLife", ThreadLife::parse);
        PARSERS.put("Machine", Machine.Kernel::parse);
        PARSERS.put("AtraceMarkParser", ArbitraryTraceNamesTest::mark);
        PARSERS.put("MachineCounters", ArbitraryTraceNamesTest::counters);
        PARSERS.put("SystraceLine", ArbitraryTraceNamesTest::line);
        PARSERS.put("ArgKey", ArbitraryTraceNamesTest::key);
        PARSERS.put("PerfSampleWriter", ArbitraryTraceNamesTest::sample);
        PARSERS.put("TrackWriter", name -> TrackWriter.ofCounter(1, name));
    }

    ArbitraryTraceNamesTest() {
        super("trace", TraceStrings::of, PARSERS);
    }

    @Override
    protected Set<String> otherClasses() {
        Set<String> classes = new TreeSet<>(OF_LINES);
        classes.addAll(OF_OWN_STRINGS);
        return classes;
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

    private static void counters(String name) {
        try (TraceBuilder builder = new TraceBuilder("counters")) {
            MachineCounters counters = new MachineCounters(builder);
            counters.property(1, name, name);
            counters.property(1, "debug.tracing." + name, "1");
            counters.property(1, "debug.tracing.screen_state", name);
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

    /** Names of functions and files come from the recorded program, and from other traces. */
    private static void sample(String name) {
        try (TraceWriter writer = new TraceWriter(OutputStream.nullOutputStream(), WireFormat.PLAIN)) {
            PerfSampleWriter samples = writer.perfSamples(TraceClock.BOOTTIME);
            for (String file : List.of(name, "/" + name + "/" + name, "")) {
                samples.sample(1, 0, 1, 1, List.of(new PerfSampleWriter.Call(name, file)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Property(tries = 20_000, shrinking = ShrinkingMode.OFF)
    void anyNameIsWrittenInAScene(@ForAll("damaged") String name) {
        Scene scene = new Scene();
        scene.process(1, name).mainThread(name, 120).begin(name).runs(0, 10).end();
        assertThat(scene.toBytes(WireFormat.PLAIN)).isNotEmpty();
    }

    @Property(tries = 150, shrinking = ShrinkingMode.OFF)
    @Tag("slow")
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
}

package dev.unjank.fleet.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fixture.ArbitraryNames;
import dev.unjank.fixture.StringParsingClasses;
import dev.unjank.fleet.folder.OpenTraceCommand;
import dev.unjank.fleet.input.NonTraceFiles;
import dev.unjank.fleet.input.TraceArchive;
import dev.unjank.fleet.label.CsvReader;
import dev.unjank.fleet.label.LabelFile;
import dev.unjank.fleet.label.TraceLabels;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.text.TerminalText;
import java.io.IOException;
import java.util.List;
import java.util.Map;
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

/** Every class that takes a name of a trace or its file apart takes any string. */
class FleetNameParsingTest {
    private static final Map<String, Consumer<String>> READERS = new TreeMap<>();

    /** These read what the project wrote, or what a user named on the command line, or numbers in an archive. */
    private static final Set<String> OF_OTHERS =
            Set.of("TraceAnalyzer", "FleetFolder", "FleetReport", "Inputs", "TraceNameSet", "TarReader");

    static {
        READERS.put("TraceArchive", name -> {
            assertThat(TraceArchive.endOfName(name + "/a.zip!/" + name)).isNotNegative();
            TraceArchive.endOfName(name);
        });
        READERS.put("NonTraceFiles", NonTraceFiles::isNamedSo);
        READERS.put("LabelFile", LabelFile.EMPTY::of);
        READERS.put("TraceLabels", FleetNameParsingTest::labels);
        READERS.put("CsvReader", name -> {
            try {
                CsvReader.parse(name);
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("a quote is not closed");
            }
        });
        READERS.put("OpenTraceCommand", name -> {
            assertPrintable(OpenTraceCommand.command("unjank", name));
            assertPrintable(OpenTraceCommand.command("unjank", "a.zip!/" + name));
            assertPrintable(OpenTraceCommand.command("unjank", "hdfs://" + name));
        });
        READERS.put("FleetTextReport", FleetNameParsingTest::report);
    }

    private static void labels(String name) {
        try (TraceBuilder builder = new TraceBuilder("labels")) {
            builder.putMetadata("android_build_fingerprint", name);
            TraceLabels.of(builder.build().machine(), name);
        }
    }

    private static void report(String name) {
        FleetReport report = new FleetReport(
                name,
                name,
                List.of(new ReportTable(
                        name,
                        name,
                        List.of("held in", "ms"),
                        List.of(new ReportTable.Row(List.of(name, "7"), 1, List.of(name))))));
        for (int width : new int[] {1, 40, 41, 42, 120}) {
            assertPrintable(FleetTextReport.of(report, "unjank", width).replace("\n", ""));
        }
    }

    private static void assertPrintable(String text) {
        assertThat(text).matches(TerminalText::isPrintable, "is printable");
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

    @Property(tries = 5_000, shrinking = ShrinkingMode.OFF)
    void anyNameIsRead(@ForAll("damaged") String name) {
        READERS.values().forEach(reader -> reader.accept(name));
    }

    /** A class that is new, or begins to take strings apart, has to be put into one of the tables above. */
    @Test
    void everyClassIsListed() {
        Set<String> listed = new TreeSet<>(READERS.keySet());
        listed.addAll(OF_OTHERS);
        assertThat(StringParsingClasses.of("fleet")).isEqualTo(listed);
    }
}

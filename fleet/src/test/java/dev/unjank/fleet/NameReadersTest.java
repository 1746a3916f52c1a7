package dev.unjank.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fixture.Names;
import dev.unjank.fixture.StringReaders;
import dev.unjank.trace.TerminalText;
import dev.unjank.trace.Trace;
import dev.unjank.trace.TraceBuilder;
import dev.unjank.trace.read.TraceReader;
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
class NameReadersTest {
    private static final Map<String, Consumer<String>> READERS = new TreeMap<>();

    /** These read what the project wrote, or what a user named on the command line, or numbers in an archive. */
    private static final Set<String> OF_OTHERS = Set.of("Asker", "FleetFolder", "FleetReport", "Inputs", "Seen", "Tar");

    static {
        READERS.put("Archive", name -> {
            assertThat(Archive.endOfName(name + "/a.zip!/" + name)).isNotNegative();
            Archive.endOfName(name);
        });
        READERS.put("OtherFiles", OtherFiles::isNamedSo);
        READERS.put("LabelBook", LabelBook.EMPTY::of);
        READERS.put("Labels", NameReadersTest::labels);
        READERS.put("Csv", name -> {
            try {
                Csv.parse(name);
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("a quote is not closed");
            }
        });
        READERS.put("OpenTrace", name -> {
            assertPrintable(OpenTrace.command("unjank", name));
            assertPrintable(OpenTrace.command("unjank", "a.zip!/" + name));
            assertPrintable(OpenTrace.command("unjank", "hdfs://" + name));
        });
        READERS.put("ReportText", NameReadersTest::report);
    }

    private static void labels(String name) {
        try (TraceBuilder builder = new TraceBuilder("labels")) {
            builder.fact("android_build_fingerprint", name);
            Labels.of(builder.build().machine(), name);
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
            assertPrintable(ReportText.of(report, "unjank", width).replace("\n", ""));
        }
    }

    private static void assertPrintable(String text) {
        assertThat(text).matches(TerminalText::isPrintable, "is printable");
    }

    private static List<String> names;

    private static synchronized List<String> names() {
        if (names == null) {
            names = Names.withReal(file -> {
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
                Tuple.of(9, Arbitraries.randomValue(random -> Names.damaged(random, names()))),
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
        assertThat(StringReaders.of("fleet")).isEqualTo(listed);
    }
}

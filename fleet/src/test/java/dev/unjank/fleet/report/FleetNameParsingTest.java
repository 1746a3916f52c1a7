package dev.unjank.fleet.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fixture.NameParsingProperties;
import dev.unjank.fleet.folder.OpenTraceCommand;
import dev.unjank.fleet.input.NonTraceFiles;
import dev.unjank.fleet.input.TraceArchive;
import dev.unjank.fleet.label.CsvReader;
import dev.unjank.fleet.label.LabelFile;
import dev.unjank.fleet.label.TraceLabels;
import dev.unjank.scene.TraceStrings;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.text.TerminalText;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** Every class that takes a name of a trace or its file apart takes any string. */
class FleetNameParsingTest extends NameParsingProperties {
    private static final Map<String, Consumer<String>> PARSERS = new TreeMap<>();

    /** These read what the project wrote, or what a user named on the command line, or numbers in an archive. */
    private static final Set<String> OF_OTHERS =
            Set.of("TraceAnalyzer", "FleetFolder", "Cells", "Inputs", "TraceNameSet", "TarReader");

    static {
        PARSERS.put("TraceArchive", name -> {
            assertThat(TraceArchive.endOfName(name + "/a.zip!/" + name)).isNotNegative();
            TraceArchive.endOfName(name);
        });
        PARSERS.put("NonTraceFiles", NonTraceFiles::isNamedSo);
        PARSERS.put("LabelFile", LabelFile.EMPTY::of);
        PARSERS.put("TraceLabels", FleetNameParsingTest::labels);
        PARSERS.put("CsvReader", name -> {
            try {
                CsvReader.parse(name);
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("a quote is not closed");
            }
        });
        PARSERS.put("OpenTraceCommand", name -> {
            assertPrintable(OpenTraceCommand.command("unjank", name));
            assertPrintable(OpenTraceCommand.command("unjank", "a.zip!/" + name));
            assertPrintable(OpenTraceCommand.command("unjank", "hdfs://" + name));
        });
        PARSERS.put("FleetTextReport", FleetNameParsingTest::report);
    }

    FleetNameParsingTest() {
        super("fleet", TraceStrings::of, PARSERS);
    }

    @Override
    protected Set<String> otherClasses() {
        return OF_OTHERS;
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

    @Override
    @Property(tries = 5_000, shrinking = ShrinkingMode.OFF) // reports take longer than names
    protected void anyNameIsParsed(@ForAll("damaged") String name) {
        super.anyNameIsParsed(name);
    }
}

package dev.unjank.fleet.label;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.unjank.trace.model.Machine;
import dev.unjank.trace.model.UnusableTraceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabelFileTest {

    @TempDir
    private Path folder;

    private LabelFile read(String name, String content) throws IOException {
        return LabelFile.read(Files.writeString(folder.resolve(name), content));
    }

    @Test
    void csvAsProgramsWriteIt() throws Exception {
        LabelFile book = read(
                "l.csv",
                "\uFEFFFile,device,remark,app_version\r\na.pftrace,\"Pixel \"\"6\"\", small\",\"two\nlines\",17\r\n\r\n/x/b.pftrace,,,18");

        assertThat(book.of("/traces/a.pftrace")).isEqualTo(new TraceLabels("Pixel \"6\", small", null, null, "17"));
        assertThat(book.of("/x/b.pftrace")).isEqualTo(new TraceLabels(null, null, null, "18"));
        assertThat(book.of("/traces/c.pftrace")).isEqualTo(TraceLabels.NONE);
    }

    @Test
    void asMuchOfANameAsTellsTracesApart() throws Exception {
        LabelFile book = read("l.csv", "file,device\na.pftrace,any\nmonday/a.pftrace,one\n/x/monday/a.pftrace,that\n");

        assertThat(book.of("/y/tuesday/a.pftrace").device()).isEqualTo("any");
        assertThat(book.of("/y/monday/a.pftrace").device()).isEqualTo("one");
        assertThat(book.of("/x/monday/a.pftrace").device()).isEqualTo("that");
        assertThat(book.of("/y/t.zip!/monday/a.pftrace").device()).isEqualTo("one");
        assertThat(book.of("ba.pftrace").device()).isNull();
    }

    @Test
    void aLineThatWouldLabelSomethingElseIsAMistake() throws Exception {
        mistake("file,device\na,\"x\n\nb,y\n", "line 2: a quote is not closed");
        mistake(
                "file,device\n\"a\nb\",c\nd,Pixel 4, black\n",
                "line 4 has 3 values for 2 columns; quote values that contain a comma");
        assertThatExceptionOfType(UnusableTraceException.class)
                .isThrownBy(() -> LabelFile.read(folder))
                .withMessage(folder + ": is a folder; give a CSV or JSON file");
        Path latin = Files.write(folder.resolve("latin.csv"), new byte[] {'f', 'i', 'l', 'e', '\n', (byte) 0xe4});
        assertThatExceptionOfType(UnusableTraceException.class)
                .isThrownBy(() -> LabelFile.read(latin))
                .withMessage(latin + ": not UTF-8 text");
    }

    @Test
    void whatSaysNothingOfAnyTraceIsAMistake() {
        mistake("file,version\na,17\n", "has no labels; add columns named device, os_build, app or app_version");
        mistake("trace,device\na,x\n", "the column file is missing or empty; add the names of the traces in it");
    }

    private void mistake(String csv, String why) {
        assertThatExceptionOfType(UnusableTraceException.class)
                .isThrownBy(() -> read("l.csv", csv))
                .withMessage(folder + "/l.csv: " + why);
    }

    @Test
    void jsonAsAnArrayOrLineByLine() throws Exception {
        String a =
                "{\"file\": \"a\", \"app\": \"com.example\", \"app_version\": 17, \"more\": {\"file\": \"not this\"}}";
        String b = "{\"file\": \"b\", \"os_build\": \"AP4A\"}";

        for (LabelFile book : List.of(read("l.json", "[" + a + "," + b + "]"), read("l.jsonl", a + "\n" + b))) {
            assertThat(book.byFile())
                    .isEqualTo(Map.of(
                            "a",
                            new TraceLabels(null, null, "com.example", "17"),
                            "b",
                            new TraceLabels(null, "AP4A", null, null)));
        }
    }

    @Test
    void whatLabelsNothingIsAMistake() {
        assertThatExceptionOfType(UnusableTraceException.class)
                .isThrownBy(() -> read("l.csv", "device\noriole\n"))
                .withMessageEndingWith("the column file is missing or empty; add the names of the traces in it");
        assertThatExceptionOfType(UnusableTraceException.class)
                .isThrownBy(() -> read("l.json", "[{\"file\": "))
                .withMessageContaining("is not JSON: Unexpected end")
                .withMessageEndingWith(", line 1")
                .withMessageNotContaining("REDACTED");
    }

    @Test
    void aTraceTellsItsDeviceBuildAndTheVersionOfAnApp() {
        Machine machine = new Machine(
                Map.of("android_build_fingerprint", "google/raven/oriole:15/AP4A/1:user/release-keys"),
                List.of(new Machine.App("com.example", 10_001, false, false, 42)));

        assertThat(TraceLabels.of(machine, "com.example"))
                .isEqualTo(new TraceLabels(
                        "oriole", "google/raven/oriole:15/AP4A/1:user/release-keys", "com.example", "42"));
        assertThat(TraceLabels.of(machine, "com.other").appVersion()).isNull();
        assertThat(TraceLabels.of(new Machine(Map.of(), List.of()), null)).isEqualTo(TraceLabels.NONE);
    }
}

package dev.unjank.workbench.lab.gc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.record.hotspot.CriticalDowncallSource;
import dev.unjank.record.kernel.JniCriticalSource;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.workbench.lab.run.QuickExperiment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class GcCriticalExperimentTest {

    @TempDir
    static Path folder;

    private static QuickExperiment run;

    @BeforeAll
    static void experiment() throws IOException {
        run = QuickExperiment.of("gc-critical", folder);
    }

    @Test
    void everyCaseHasARow() {
        for (String name : List.of("Java 25, Serial, JNI", "Java 25, G1, JNI", "Java 25, Serial, FFM")) {
            assertThat(run.row(name)).as(run.output()).hasSize(7);
        }
    }

    /** The scan takes a second, and a collection is due every quarter of one. */
    @Test
    void whoIsStoppedIsAsIsKnown() {
        assertThat(run.row("Java 25, Serial, JNI").subList(1, 3))
                .as(run.output())
                .containsExactly("yes", "yes");
        assertThat(run.row("Java 25, Serial, FFM").subList(1, 3))
                .as(run.output())
                .containsExactly("yes", "yes");
        assertThat(run.row("Java 25, G1, JNI").subList(1, 3)).as(run.output()).containsExactly("no", "no");
        assertThat(run.output()).doesNotContain("Unexpected results");
    }

    /** Where the recorder may ask the kernel and read the program's memory. */
    @Test
    void whoWasInNativeCodeIsNamed() {
        int self = Math.toIntExact(ProcessHandle.current().pid());
        for (RecordingSource source : List.of(new JniCriticalSource(self), new CriticalDowncallSource(self))) {
            SourceAvailability availability = source.probe();
            assumeTrue(availability.isOn(), availability::toString);
        }
        // the one that computes may have had no CPU for most of the time, which is then the verdict
        assertThat(run.row("Java 25, Serial, JNI").get(6)).as(run.output()).endsWith(" by scanner");
        assertThat(run.row("Java 25, Serial, FFM").get(6))
                .as(() -> run.output() + longest("java25-serial-ffm.json"))
                .isEqualTo("SAFEPOINT_BLOCKED by scanner");
    }

    @Test
    void tracesAreKept() throws IOException {
        assertThat(run.trace("java25-serial-jni").slices().size())
                .as(run.output())
                .isPositive();
        assertThat(run.text("java25-serial-ffm.json")).contains("\"incidents\"");
    }

    /** What the doctor made of the longest wait of a case, to understand a verdict that was not expected. */
    private static String longest(String file) {
        try {
            String json = run.text(file);
            return json.substring(
                    json.indexOf("\"incidents\""), Math.min(json.length(), json.indexOf("\"incidents\"") + 4_000));
        } catch (IOException e) {
            return e.toString();
        }
    }
}

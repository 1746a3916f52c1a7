package dev.unjank.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.cli.CommandRun;
import dev.unjank.record.session.FileOwnership;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the demo records, and that the doctor opens it. */
class DemoTraceTest {
    @TempDir
    Path folder;

    @Test
    void theLockFreePhaseIsRecorded() throws Exception {
        Path file = folder.resolve("demo.pftrace");

        CommandRun run = CommandRun.of("demo", "--queue", "lockfree", "--seconds", "1", "--trace", file.toString());

        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("Wrote " + file);
        Trace trace = TraceReader.read(file);
        assertThat(trace.slices().size()).isGreaterThan(3_000); // what is posted before the clock starts
        assertThat(trace.flows().size()).isPositive();
        int delivery = trace.flows().in(0);
        assertThat(trace.threads().name(trace.slices().utid(delivery))).isEqualTo("looper");
        assertThat(trace.slices().category(delivery)).isEqualTo("mq");
        assertThat(IntStream.range(0, trace.flows().size())
                        .mapToObj(row -> trace.slices().name(trace.flows().in(row))))
                .anySatisfy(name -> assertThat(name).endsWith("FrameClock$$Lambda"));

        CommandRun doctor = CommandRun.of("doctor", file.toString());
        assertThat(doctor.code()).isZero();
        // no wait is found; that no frame was late, too, is up to the machine
        assertThat(doctor.out()).containsAnyOf("Nothing to diagnose", "No waits found");
        assertThat(doctor.err()).contains("no scheduler events").hasLineCount(1);
    }

    /** As root, a name in another user's folder may be a link to any file. */
    @Test
    void rootsTraceGoesThroughNoLinkOfAnotherUser() throws Exception {
        assumeTrue(FileOwnership.isRoot(), "needs root, to give a folder to another user");
        Path secret = Files.writeString(folder.resolve("secret"), "root's");
        Path theirs = Files.createDirectory(folder.resolve("theirs"));
        Files.setAttribute(theirs, "unix:uid", 12_345);
        Path file = Files.createSymbolicLink(theirs.resolve("demo.pftrace"), secret);

        CommandRun run = CommandRun.of("demo", "--queue", "lockfree", "--seconds", "1", "--trace", file.toString());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .contains("it is a symbolic link in a folder that others can write")
                .hasLineCount(1);
        assertThat(secret).hasContent("root's");
    }

    /** A recording of the process has them as Android's frame timeline has an app's. */
    @Test
    void theTicksAreFrames() throws Exception {
        Path file = folder.resolve("demo.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("dev.unjank.Frame").withThreshold(Duration.ZERO);
            recording.start();
            assertThat(CommandRun.of("demo", "--queue", "lockfree", "--seconds", "1")
                            .code())
                    .isZero();
            recording.dump(file);
        }
        assertThat(RecordingFile.readAllEvents(file))
                .isNotEmpty()
                .allMatch(event -> event.getThread("eventThread").getJavaName().equals("looper"))
                .allMatch(event -> event.getDuration("period").toMillis() == 16);
    }

    @Test
    void aTraceWithoutItsQueueIsAMistake() {
        Path file = folder.resolve("demo.pftrace");

        CommandRun run = CommandRun.of("demo", "--queue", "monitor", "--trace", file.toString());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("use it with --queue lockfree or both").hasLineCount(1);
        assertThat(file).doesNotExist();
    }
}

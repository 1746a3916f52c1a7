package dev.unjank.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.Trace;
import dev.unjank.trace.read.TraceReader;
import java.nio.file.Path;
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
        int tick = trace.flows().in(0);
        assertThat(trace.threads().name(trace.slices().utid(tick))).isEqualTo("looper");
        assertThat(trace.slices().category(tick)).isEqualTo("mq");
        assertThat(trace.slices().name(tick)).endsWith("UiLoop$$Lambda");

        CommandRun doctor = CommandRun.of("doctor", file.toString());
        assertThat(doctor.code()).isZero();
        assertThat(doctor.out()).contains("Nothing to diagnose");
        assertThat(doctor.err()).contains("no scheduler events");
    }

    @Test
    void aTraceWithoutItsQueueIsAMistake() {
        Path file = folder.resolve("demo.pftrace");

        CommandRun run = CommandRun.of("demo", "--queue", "monitor", "--trace", file.toString());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("--queue leaves out").hasLineCount(1);
        assertThat(file).doesNotExist();
    }
}

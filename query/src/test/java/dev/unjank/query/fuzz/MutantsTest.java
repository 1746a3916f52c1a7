package dev.unjank.query.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fixture.RealTraces;
import dev.unjank.fixture.jfr.JfrTestRecordings;
import dev.unjank.scene.LauncherExample;
import dev.unjank.trace.write.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Damaged traces in {@code doctor} and {@code query}: each is read and reported, or rejected in one line, in less than
 * 20 s and within the memory of the tests. {@code ./mvnw verify -pl query -am -Plong} tries some thousand mutants of
 * each real trace, {@code -Dunjank.mutants=N} any other number.
 */
class MutantsTest {
    private static final Path KEPT = Path.of("target", "mutants");
    private static final int OF_A_SMALL_TRACE = 20;
    private static final int OF_A_REAL_TRACE = 3_600;

    private static final String SYSTRACE = """
            # tracer: nop
            USER PID TID PPID NAME
            u0_a1 1 1 0 com.example.app
             m-1 ( 1) [000] ...1 1.000000: sched_switch: prev_comm=s prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=m next_pid=1 next_prio=110
             m-1 ( 1) [000] ...1 1.000100: tracing_mark_write: B|1|Lock contention on thread list lock (owner tid: 2)
             m-1 ( 1) [000] ...1 1.000150: tracing_mark_write: C|1|heap|7
             m-1 ( 1) [000] ...1 1.000160: tracing_mark_write: S|1|launching: com.example.app|0
             m-1 ( 1) [000] ...1 1.000200: sched_switch: prev_comm=m prev_pid=1 prev_prio=110 prev_state=S ==> next_comm=s next_pid=0 next_prio=120
             w-2 ( 1) [001] ...1 1.000300: sched_switch: prev_comm=s prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=w next_pid=2 next_prio=120
             w-2 ( 1) [001] ...1 1.005000: sched_waking: comm=m pid=1 prio=110 target_cpu=000
             m-1 ( 1) [000] ...1 1.005100: sched_switch: prev_comm=s prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=m next_pid=1 next_prio=110
             m-1 ( 1) [000] ...1 1.005200: tracing_mark_write: E|1
             m-1 ( 1) [000] ...1 1.005300: tracing_mark_write: F|1|launching: com.example.app|0
            """;

    @Test
    void smallTraces() throws Exception {
        MutantRunner run = new MutantRunner(KEPT, System.out);
        List<SeedTrace> traces = List.of(
                SeedTrace.of("launcher", LauncherExample.trace()),
                SeedTrace.of("launcher-compact", LauncherExample.scene().toBytes(WireFormat.COMPACT)),
                SeedTrace.of("launcher-compressed", LauncherExample.scene().toBytes(WireFormat.COMPRESSED)),
                SeedTrace.of("recording", JfrTestRecordings.example()),
                SeedTrace.of("recording-gzip", gzip(JfrTestRecordings.example())),
                SeedTrace.of("systrace", SYSTRACE.getBytes(UTF_8)));
        assertThat(traces.stream().map(SeedTrace::format))
                .containsExactly(
                        SeedTrace.Format.PERFETTO,
                        SeedTrace.Format.PERFETTO,
                        SeedTrace.Format.PERFETTO,
                        SeedTrace.Format.JFR,
                        SeedTrace.Format.JFR,
                        SeedTrace.Format.TEXT);
        for (SeedTrace trace : traces) {
            assertThat(run.of(trace, 0, OF_A_SMALL_TRACE)).isEqualTo(OF_A_SMALL_TRACE);
        }
        assertThat(run.failures()).isEmpty();
    }

    /** Numbers of CPUs, threads and priorities that no machine has, in every event that has such a number. */
    @ParameterizedTest
    @ValueSource(strings = {"-1", "1024", "65535", "2147483647", "-2147483648", "4294967295", "9223372036854775807"})
    void impossibleNumbersAreReadOrRefused(String number) throws Exception {
        Path file = Files.createTempFile("unjank-numbers-", "");
        try (MutantCheck check = new MutantCheck()) {
            String events = SYSTRACE
                    + " m-1 ( 1) [N] ...1 1.006000: cpu_frequency: state=N cpu_id=N\n"
                    + " m-1 ( 1) [001] ...1 1.006100: cpu_frequency: state=1000 cpu_id=N\n"
                    + " m-1 ( 1) [N] ...1 1.006200: tracing_mark_write: C|N|heap|N\n"
                    + " m-N ( N) [N] ...1 1.006300: sched_waking: comm=m pid=N prio=N target_cpu=N\n"
                    + " m-1 ( 1) [001] ...1 1.006400: sched_waking: comm=m pid=2 prio=N target_cpu=N\n"
                    + " m-1 ( 1) [N] ...1 1.006500: sched_switch: prev_comm=m prev_pid=N prev_prio=N prev_state=R"
                    + " ==> next_comm=s next_pid=N next_prio=N\n"
                    + " m-1 ( 1) [001] ...1 1.006600: tracing_mark_write: E|1\n";
            Files.writeString(file, events.replaceAll("\\bN\\b", number));
            for (int round = 0; round < 16; round++) { // every kind of report, and many tables
                check.check(file);
            }
        } finally {
            Files.delete(file);
        }
    }

    /** Where there is none, the test is asked for one and is reported as skipped. */
    static List<String> names() {
        List<String> names = RealTraces.names();
        return names.isEmpty() ? List.of("any") : names;
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("names")
    void realTrace(String name) throws Exception {
        int count = Integer.getInteger("unjank.mutants", OF_A_REAL_TRACE);
        MutantRunner run = new MutantRunner(KEPT, System.out);
        assertThat(run.of(SeedTrace.read(RealTraces.file(name)), 1, count)).isEqualTo(count);
        assertThat(run.failures()).isEmpty();
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream packing = new GZIPOutputStream(out)) {
            packing.write(bytes);
        }
        return out.toByteArray();
    }
}

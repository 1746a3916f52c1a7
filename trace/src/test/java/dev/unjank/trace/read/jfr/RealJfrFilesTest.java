package dev.unjank.trace.read.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.scene.TraceInvariants;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.RealRecordingFiles;
import dev.unjank.trace.read.jfr.format.DamagedRecordingException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Real recordings, with numbers that other tools confirm. */
class RealJfrFilesTest {
    private static Trace load(String name) {
        Trace trace = RealRecordingFiles.load(name);
        TraceInvariants.check(trace);
        return trace;
    }

    /** Counts slices by the prefix of their names. */
    private static Map<String, Integer> kinds(Trace trace) {
        Map<String, Integer> kinds = new TreeMap<>();
        Slices slices = trace.slices();
        for (int row = 0; row < slices.size(); row++) {
            String name = slices.name(row);
            kinds.merge(
                    name.replaceFirst("^(monitor contention|Lock contention|GC pause|\\w+).*", "$1"), 1, Integer::sum);
        }
        return kinds;
    }

    private static int longest(Slices slices, String prefix) {
        return IntStream.range(0, slices.size())
                .filter(row -> slices.name(row).startsWith(prefix))
                .reduce((a, b) -> slices.dur(a) >= slices.dur(b) ? a : b)
                .orElseThrow();
    }

    @Test
    void thirteenWaitsOneOfEightSeconds() {
        Trace trace = load("grafana_example.jfr.gz");
        assertThat(kinds(trace)).isEqualTo(Map.of("monitor contention", 13));
        int row = longest(trace.slices(), "monitor contention");
        assertThat(trace.slices().dur(row)).isEqualTo(8_003_284_464L);
        assertThat(trace.threads().name(trace.slices().utid(row))).isEqualTo("pool-2-thread-2");
        assertThat(trace.slices().name(row))
                .isEqualTo("monitor contention with owner <unknown> (0) at void null()(null:-1) waiters=0"
                        + " blocking from long App.fib(java.lang.Long)(App:37)");
        assertThat(trace.samples().size()).isEqualTo(1_031);
        assertThat(trace.processes().pid(0)).isEqualTo(10_378);
        assertThat(trace.processes().name(0)).isEqualTo("App");
    }

    @Test
    void anIdeWithThousandsOfWaitsInSixChunks() {
        Trace trace = load("grafana_goland-multichunk.jfr.gz");
        Map<String, Integer> kinds = kinds(trace);
        assertThat(kinds).containsEntry("monitor contention", 12_888).containsEntry("parking", 4_216);
        assertThat(trace.samples().size()).isEqualTo(1_776);
        assertThat(trace.processes().name(0)).isEqualTo("com.intellij.idea.Main");
    }

    @Test
    void aFileThatTheJdksParserRejects() throws IOException, DamagedRecordingException {
        Trace trace = load("grafana_event-with-type-zero.jfr.gz");
        assertThat(kinds(trace))
                .containsEntry("parking", 1_714)
                .containsEntry("waiting", 131)
                .containsEntry("sleeping", 52)
                .containsEntry("GC pause", 188)
                .containsEntry("GC", 188);
        assertThat(trace.samples().size()).isEqualTo(4_500 + 996 + 1_512);
        Map<String, Integer> counts = AllJfrEvents.counts(
                MemorySegment.ofArray(RealRecordingFiles.bytes("grafana_event-with-type-zero.jfr.gz")));
        // the JDK's summary mixes up the types of different chunks
        assertThat(counts)
                .containsEntry("jdk.GCPhaseParallel", 35_259)
                .containsEntry("jdk.ThreadPark", 1_714)
                .containsEntry("jdk.NativeMethodSample", 4_500)
                .containsEntry("jdk.ExecutionSample", 996)
                .containsEntry("datadog.ExecutionSample", 1_512);
    }

    @Test
    void waitsWithOwners() {
        Trace trace = load("jmc_jdk17_monitoredvm.jfr");
        assertThat(kinds(trace))
                .containsEntry("monitor contention", 46)
                .containsEntry("waiting", 70)
                .containsEntry("sleeping", 118)
                .containsEntry("socket", 505)
                .containsEntry("file", 120)
                .containsEntry("safepoint", 11)
                .containsEntry("GC pause", 4);
        int row = longest(trace.slices(), "monitor contention");
        assertThat(trace.slices().name(row))
                .isEqualTo("monitor contention with owner Thread-0 (41731) at void null()(null:-1) waiters=0"
                        + " blocking from void java.io.PrintStream.write(java.lang.String)(PrintStream:695)");
        assertThat(trace.threads().name(trace.slices().utid(row))).isEqualTo("Thread-1");
    }

    @Test
    void fullCollections() {
        Trace trace = load("jmc_full_gc_g1.jfr");
        Map<String, Integer> kinds = kinds(trace);
        assertThat(kinds).containsEntry("GC", 108);
        assertThat(kinds.get("GC pause")).isEqualTo(91);
        assertThat(trace.warnings()).anyMatch(line -> line.contains("monitor waits were not recorded"));
    }
}

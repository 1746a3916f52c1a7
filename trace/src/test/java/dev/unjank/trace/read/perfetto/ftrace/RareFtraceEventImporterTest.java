package dev.unjank.trace.read.perfetto.ftrace;

import static dev.unjank.scene.Scene.ms;
import static dev.unjank.scene.Scene.traceTime;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import dev.unjank.scene.TraceInvariants;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Args;
import dev.unjank.trace.model.Counters;
import dev.unjank.trace.model.Flows;
import dev.unjank.trace.model.InheritedPriorities;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.LoadedRealTraces;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.write.KernelEvent;
import dev.unjank.trace.write.WireFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Kernel events other than those of the scheduler: priority inheritance, CPU frequencies, binder, system calls. */
class RareFtraceEventImporterTest {
    @TempDir
    private Path dir;

    static List<WireFormat> formats() {
        return List.of(WireFormat.PLAIN, WireFormat.COMPACT, WireFormat.COMPRESSED);
    }

    private Trace read(byte[] bytes) throws IOException {
        Trace trace = TraceReader.read(Files.write(dir.resolve("trace"), bytes));
        TraceInvariants.check(trace);
        return trace;
    }

    @ParameterizedTest
    @MethodSource("formats")
    void aProcessHasTheNameOfTheProgramThatItExecutes(WireFormat format) throws IOException {
        Scene scene = new Scene();
        scene.process(10, "bash")
                .mainThread("bash", 120)
                .runs(0, ms(1))
                .does(KernelEvent.processExec(10, "/usr/bin/java"))
                .runs(0, ms(2));
        scene.process(20, "sh").mainThread("sh", 120).runs(1, ms(2));
        Trace trace = read(scene.toBytes(format));

        assertThat(trace.skipped()).isEqualTo(new Trace.Skipped(0, 0));
        for (String process : List.of("10 java", "20 sh")) {
            String[] parts = process.split(" ", 2);
            int utid = trace.threads().find(Integer.parseInt(parts[0]), trace.endNs());
            assertThat(trace.processes().name(trace.threads().upid(utid))).isEqualTo(parts[1]);
        }
    }

    /** The boosts of a thread: start, end, base and boosted priority. */
    private static List<String> boosts(Trace trace, int tid, long zero) {
        InheritedPriorities table = trace.inheritedPriorities();
        int utid = trace.threads().find(tid, trace.endNs());
        List<String> boosts = new ArrayList<>();
        for (int row = table.first(utid); row < table.end(utid); row++) {
            boosts.add((table.ts(row) - zero) + ".." + (table.endNs(row) - zero) + " " + table.basePriority(row)
                    + " boosted " + table.boostedPriority(row));
        }
        return boosts;
    }

    @ParameterizedTest
    @MethodSource("formats")
    void eventsRoundTrip(WireFormat format) throws IOException {
        Scene scene = new Scene();
        SceneProcess app = scene.process(10, "app");
        SceneThread main = app.mainThread("main", 110);
        SceneThread worker = app.thread(11, "worker", 120);
        SceneThread binder = scene.process(20, "server").mainThread("server", 120);
        main.runs(0, ms(1)).does(KernelEvent.cpuFrequency(1, 1_800_000));
        main.runs(0, ms(2)).does(KernelEvent.cpuFrequency(0, 300_000)).calls(98, 4096, 128);
        main.runs(0, ms(3)).returns(98, -11);
        main.runs(0, ms(4))
                .does(KernelEvent.cpuFrequency(1, 600_000))
                .does(KernelEvent.binderTransaction(7, false, false));
        main.runs(0, ms(6)).does(KernelEvent.binderReceived(8)).runs(0, ms(10));
        worker.runs(1, ms(2)).inherits(97);
        worker.runs(1, ms(3)).inherits(120);
        worker.runs(1, ms(9));
        binder.runs(2, ms(4.5)).does(KernelEvent.binderReceived(7));
        binder.runs(2, ms(5.5))
                .does(KernelEvent.binderTransaction(8, true, false))
                .runs(2, ms(6));

        Trace trace = read(scene.toBytes(format));
        assertThat(trace.skipped()).isEqualTo(new Trace.Skipped(0, 0));
        assertThat(boosts(trace, 11, Scene.START_NS)).containsExactly(ms(2) + ".." + ms(3) + " 120 boosted 97");

        Counters counters = trace.counters();
        assertThat(counters.tracks()).isEqualTo(2);
        List<String> rates = new ArrayList<>();
        for (int track = 0; track < 2; track++) {
            assertThat(counters.name(track)).isEqualTo(Counters.CPU_FREQUENCY);
            assertThat(counters.upid(track)).isEqualTo(-1);
            for (int row = counters.first(track); row < counters.end(track); row++) {
                rates.add(counters.cpu(track) + " " + (counters.ts(row) - Scene.START_NS) + " " + counters.value(row));
            }
        }
        assertThat(rates)
                .containsExactlyInAnyOrder(
                        "1 " + ms(1) + " 1800000", "0 " + ms(2) + " 300000", "1 " + ms(4) + " 600000");

        int first = trace.slices().first(trace.threads().find(10, trace.endNs()));
        assertThat(trace.slices().name(first)).isEqualTo("sys_futex");
        assertThat(trace.slices().ts(first)).isEqualTo(traceTime(ms(2)));
        assertThat(trace.slices().dur(first)).isEqualTo(ms(1));
        Args args = trace.args();
        assertThat(args.number(first, "uaddr", 0)).isEqualTo(4096);
        assertThat(args.number(first, "op", 0)).isEqualTo(128);
        assertThat(args.number(first, "ret", 0)).isEqualTo(-11);
        assertThat(trace.slices().name(first + 1)).isEqualTo("binder transaction");
        assertThat(trace.slices().dur(first + 1)).isEqualTo(ms(2));
        Flows flows = trace.flows();
        assertThat(flows.size()).isPositive();
        assertThat(trace.slices().name(flows.in(flows.first(first + 1)))).isEqualTo("binder reply");
    }

    @Test
    void theyAreReadFromSystraceToo() throws IOException {
        Trace trace = read("""
                # tracer: nop
                 a-7  (    7) [001] ...1 1.000000: cpu_frequency: state=1824000 cpu_id=4
                 a-7  (    7) [001] ...1 1.000001: sched_pi_setprio: comm=a b pid=7 oldprio=120 newprio=97
                 a-7  (    7) [001] ...1 1.000005: sched_pi_setprio: comm=a b pid=7 oldprio=97 newprio=120
                """.getBytes(UTF_8));
        assertThat(boosts(trace, 7, 1_000_000_000)).containsExactly("1000..5000 120 boosted 97");
        assertThat(trace.counters().cpu(0)).isEqualTo(4);
        assertThat(trace.counters().value(0)).isEqualTo(1_824_000);
        assertThat(trace.skipped()).isEqualTo(new Trace.Skipped(0, 0));
    }

    /**
     * Each timeline is a list of changes, from one priority to another, a microsecond apart; the trace ends after
     * 100.
     */
    @ParameterizedTest
    @CsvSource({
        "120>97 97>120,               0..1 120 boosted 97",
        "120>97 120>97 97>120 97>120, 0..2 120 boosted 97", // the kernel repeats an event
        "120>110 110>97 97>120,       0..1 120 boosted 110; 1..2 120 boosted 97",
        "120>97 97>110 110>120,       0..1 120 boosted 97; 1..2 120 boosted 110",
        "120>97,                      0..100 120 boosted 97", // without an end
        "97>120,                      -5..0 120 boosted 97", // boosted before the trace began
        "120>120,                     ''",
        "120>97 97>130,               0..1 120 boosted 97", // its base priority has changed meanwhile
    })
    void boostsArePaired(String story, String expected) {
        TraceBuilder builder = new TraceBuilder("boosts");
        int name = builder.intern("a");
        builder.kernel().thread(5_000, 7, 7, name);
        builder.program().instant(5_000, 7, 7, name);
        long ts = 10_000;
        for (String change : story.split(" ", -1)) {
            String[] priorities = change.split(">", -1);
            builder.rareKernel()
                    .inheritedPriority(ts, 7, Integer.parseInt(priorities[0]), Integer.parseInt(priorities[1]));
            ts += 1_000;
        }
        builder.program().instant(110_000, 7, 7, name);
        Trace trace = builder.build();
        TraceInvariants.check(trace);
        List<String> boosts = boosts(trace, 7, 10_000).stream()
                .map(loan -> loan.replace("000", ""))
                .toList();
        assertThat(String.join("; ", boosts)).isEqualTo(expected);
    }

    /** Real machines: counted with another reader of the format. */
    @ParameterizedTest
    @CsvSource({
        "a7_nexus5x_startup_cold.perfetto-trace, 132, 6, 5",
        "a11_galaxys20_sched.perfetto-trace, 168, 7, 0",
        "a13_pixel6a_startup_warm.perfetto-trace, 1442, 8, 3",
    })
    void realMachines(String name, int rates, int cpus, int boosts) {
        Trace trace = LoadedRealTraces.load(name);
        Counters counters = trace.counters();
        int values = 0;
        int tracks = 0;
        for (int track = 0; track < counters.tracks(); track++) {
            if (counters.name(track).equals(Counters.CPU_FREQUENCY)) {
                values += counters.end(track) - counters.first(track);
                tracks++;
            }
        }
        assertThat(values).isEqualTo(rates);
        assertThat(tracks).isEqualTo(cpus);
        assertThat(trace.inheritedPriorities().size()).isEqualTo(boosts);
    }

    /**
     * On the Nexus a kernel thread is boosted to real-time priorities, and twice to a normal one, which has no
     * effect.
     */
    @Test
    void aBoostWithinNormalPriorities() {
        Trace trace = LoadedRealTraces.load("a7_nexus5x_startup_cold.perfetto-trace");
        assertThat(boosts(trace, 156, 0))
                .extracting(loan -> loan.substring(loan.indexOf(' ') + 1))
                .containsExactly("120 boosted 49", "120 boosted 113", "120 boosted 113", "120 boosted 49");
    }
}

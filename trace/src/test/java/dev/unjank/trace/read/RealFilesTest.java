package dev.unjank.trace.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.scene.TraceInvariants;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.TraceGaps;
import dev.unjank.trace.model.TraceNote;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real files of every format: their content, counted with other tools, and their gaps. */
class RealFilesTest {
    private static final String YOUTUBE = "tracecompass_youtube_atrace.txt";
    private static final String PAGE = "trappy_surfaceflinger.html";
    private static final String CTRACE = "catapult_compressed_atrace.ctrace";
    private static final Set<SchedState> SLEEPS =
            EnumSet.of(SchedState.SLEEPING, SchedState.UNINTERRUPTIBLE, SchedState.KILLABLE, SchedState.IDLE);

    /** The listed words occur in the warnings about gaps. */
    @ParameterizedTest
    @CsvSource({
        "a7_nexus5x_startup_cold.perfetto-trace, wakers function frame",
        "a11_galaxys20_sched.perfetto-trace, wakers function slices frame",
        "a12_x86emu_sched_perfsample.pftrace, function slices",
        "a13_pixel4xl_chrome_track_event.pftrace, programs",
        "a13_pixel6a_startup_warm.perfetto-trace, function",
        "a15_mokeygo32_startup_cold.perfetto-trace, function",
        YOUTUBE + ", wakers function frame",
        PAGE + ", wakers frame",
        CTRACE + ", scheduler frame",
        "grafana_example.jfr.gz, scheduler",
        "grafana_goland-multichunk.jfr.gz, scheduler",
        "grafana_event-with-type-zero.jfr.gz, scheduler",
        "jmc_jdk17_monitoredvm.jfr, scheduler",
        "jmc_full_gc_g1.jfr, scheduler"
    })
    void gapsOfRealFiles(String name, String lacks) {
        Trace trace = LoadedRealTraces.load(name);
        TraceInvariants.check(trace);
        List<String> words =
                Arrays.stream(lacks.split(" ")).filter(word -> !word.isEmpty()).toList();
        List<String> gaps = TraceNote.sentences(TraceGaps.in(trace).warnings());
        assertThat(gaps).hasSameSizeAs(words);
        for (int i = 0; i < words.size(); i++) {
            assertThat(gaps.get(i)).contains(words.get(i));
        }
    }

    @Test
    void systraceText() {
        Trace trace = LoadedRealTraces.load(YOUTUBE);
        assertThat(trace.slices().size()).isEqualTo(164);
        assertThat(named(trace, "monitor contention with owner")).isEqualTo(5);
        assertThat(runs(trace)).isEqualTo(2582);
        int youtube = trace.threads().find(23071, trace.startNs());
        assertThat(trace.processes().pid(trace.threads().upid(youtube))).isEqualTo(23071);
        assertThat(trace.threads().name(youtube)).isEqualTo("android.youtube");
        assertThat(trace.startNs()).isEqualTo(214_168_479_892_000L);
        assertThat(trace.endNs()).isEqualTo(214_169_926_032_000L);
        assertThat(trace.skipped()).isEqualTo(new Trace.Skipped(0, 0));
        assertThat(trace.warnings()).isEmpty();
    }

    @Test
    void systracePage() {
        Trace trace = LoadedRealTraces.load(PAGE);
        assertThat(trace.slices().size()).isEqualTo(70);
        assertThat(runs(trace)).isEqualTo(715);
        assertThat(trace.counters().tracks()).isEqualTo(12 + 2 * 8 + 46); // of programs, CPUs and clocks
        assertThat(IntStream.range(0, trace.threadStates().size())
                        .mapToObj(trace.threadStates()::blockedFunction)
                        .filter("msm_rpm_wait_for_ack"::equals)
                        .count())
                .isPositive();
        // sugov_set_iowait_boost
        assertThat(trace.skipped().ftraceEvents()).isEqualTo(366);
        assertThat(trace.warnings()).isEmpty();
    }

    @Test
    void compressedAtrace() {
        Trace trace = LoadedRealTraces.load(CTRACE);
        assertThat(trace.slices().size()).isEqualTo(480);
        assertThat(trace.slices().size() - trace.slices().firstAsync()).isEqualTo(17);
        assertThat(trace.counters().tracks()).isEqualTo(7);
        assertThat(trace.warnings()).isEmpty();
    }

    @Test
    void samplesOfAProfiler() {
        Trace trace = LoadedRealTraces.load("a12_x86emu_sched_perfsample.pftrace");
        assertThat(trace.samples().size()).isEqualTo(684); // of 742 packets, 58 are without a stack
        List<String> stack = new ArrayList<>();
        for (int call = trace.samples().callstack(0);
                call >= 0;
                call = trace.callstacks().parent(call)) {
            stack.add(trace.callstacks().name(call));
        }
        assertThat(stack).contains("do_syscall_64", "__epoll_pwait");
        assertThat(trace.warnings()).singleElement().asString().contains("skipped: 58 samples with unreadable stacks");
    }

    @Test
    void machines() {
        Trace trace = LoadedRealTraces.load("a15_mokeygo32_startup_cold.perfetto-trace");
        assertThat(trace.machine().facts())
                .containsEntry("system_machine", "armv7l")
                .containsEntry("system_release", "4.19.191-gc4209e6f7f25")
                .containsEntry("android_sdk_version", "35")
                .containsEntry("android_soc_model", "MT6769");
        assertThat(trace.machine().packages())
                .anyMatch(installed -> installed.name().equals("com.google.android.youtube"));
    }

    /**
     * Nearly all runs that follow a sleep and no wake-up were woken on the way to the sleep; 358 and 5 of them by a
     * thread.
     */
    @ParameterizedTest
    @CsvSource({
        "a15_mokeygo32_startup_cold.perfetto-trace, 8748, 14",
        "a13_pixel6a_startup_warm.perfetto-trace, 6817, 2",
        "a12_x86emu_sched_perfsample.pftrace, 15494, 0"
    })
    void wakersOfThreads(String name, int wakers, int unexplained) {
        Trace trace = LoadedRealTraces.load(name);
        ThreadStates states = trace.threadStates();
        int woken = 0;
        int outOfSleep = 0;
        for (int utid = 0; utid < trace.threads().size(); utid++) {
            for (int row = states.first(utid); row < states.end(utid); row++) {
                woken += states.waker(row) >= 0 ? 1 : 0;
                boolean runs = row > states.first(utid) && states.state(row) == SchedState.RUNNING;
                outOfSleep += runs && SLEEPS.contains(states.state(row - 1)) ? 1 : 0;
            }
        }
        assertThat(woken).isEqualTo(wakers);
        assertThat(outOfSleep).isEqualTo(unexplained);
    }

    private static long named(Trace trace, String beginning) {
        Slices slices = trace.slices();
        return IntStream.range(0, slices.size())
                .filter(row -> slices.name(row).startsWith(beginning))
                .count();
    }

    /** How often a CPU took up a thread, or went idle. */
    private static int runs(Trace trace) {
        int cpus = trace.cpuRuns().cpus();
        int runs = 0;
        for (int cpu = 0; cpu < cpus; cpu++) {
            runs += trace.cpuRuns().end(cpu) - trace.cpuRuns().first(cpu);
        }
        return runs;
    }
}

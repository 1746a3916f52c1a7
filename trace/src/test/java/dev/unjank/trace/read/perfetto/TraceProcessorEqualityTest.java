package dev.unjank.trace.read.perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.model.Frames;
import dev.unjank.trace.model.JankType;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.TraceGaps;
import dev.unjank.trace.model.TraceNote;
import dev.unjank.trace.read.LoadedRealTraces;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the tables of real traces with those of Perfetto's trace processor: equal, or different for a stated
 * reason.
 */
class TraceProcessorEqualityTest {
    private static final String A7 = "a7_nexus5x_startup_cold.perfetto-trace";
    private static final String A11 = "a11_galaxys20_sched.perfetto-trace";
    private static final String A12 = "a12_x86emu_sched_perfsample.pftrace";
    private static final String A13 = "a13_pixel6a_startup_warm.perfetto-trace";
    private static final String A15 = "a15_mokeygo32_startup_cold.perfetto-trace";

    private record Total(long count, long ns) {
        Total plus(Total other) {
            return new Total(count + other.count, ns + other.ns);
        }
    }

    private static void add(Map<String, Total> totals, String key, long ns) {
        totals.merge(key, new Total(1, ns), Total::plus);
    }

    @ParameterizedTest
    @ValueSource(strings = {A7, A11, A12, A13, A15})
    void threadStates(String name) throws IOException {
        Trace trace = LoadedRealTraces.load(name);
        Map<String, Total> ours = new TreeMap<>();
        Map<String, Total> theirs = new TreeMap<>();
        ThreadStates states = trace.threadStates().withoutIgnoredWakeups();
        for (int utid = 0; utid < trace.threads().size(); utid++) {
            String thread = trace.threads().tid(utid) + " " + trace.threads().name(utid) + " ";
            addStates(name, thread, states, utid, ours);
        }
        for (List<String> row : LoadedRealTraces.expected(name, "thread_state")) {
            theirs.merge(
                    row.get(0) + " " + row.get(1) + " " + row.get(2),
                    new Total(Long.parseLong(row.get(3)), Long.parseLong(row.get(4))),
                    Total::plus);
        }

        assertThat(ours).isEqualTo(theirs);
    }

    /** Sums up one thread's states as in the trace processor; states without a known end do not count. */
    private static void addStates(
            String name, String thread, ThreadStates states, int utid, Map<String, Total> totals) {
        for (int row = states.first(utid); row < states.end(utid); row++) {
            if (!states.isOpen(row)) {
                String state = states.state(row).text();
                // Bit 0x400 of a 3.10 kernel means preempted; the trace processor takes it for that of later ones,
                // NOLOAD.
                add(totals, thread + (name.equals(A7) && state.equals("R+") ? "N" : state), states.dur(row));
            }
        }
    }

    /** The number in docs/reference/perfettosql.md. */
    @Test
    void wakeupsAtTheTimeOfTheSleepAreIgnored() throws IOException {
        ThreadStates own = LoadedRealTraces.load(A12).threadStates();
        int atOnce = 0;
        for (int row = 0; row + 1 < own.size(); row++) {
            boolean wakes = own.state(row + 1) == SchedState.RUNNABLE && own.waker(row + 1) >= 0;
            atOnce += !own.isOpen(row) && own.dur(row) == 0 && wakes ? 1 : 0;
        }
        assertThat(atOnce).isEqualTo(57);
        assertThat(own.size() - own.withoutIgnoredWakeups().size()).isEqualTo(25);
    }

    @ParameterizedTest
    @ValueSource(strings = {A7, A11, A13, A15})
    void slices(String name) throws IOException {
        Trace trace = LoadedRealTraces.load(name);
        Slices slices = trace.slices();
        Map<String, Total> ours = new TreeMap<>();
        for (int row = 0; row < slices.size(); row++) {
            add(ours, slices.name(row), slices.isOpen(row) ? -1 : slices.dur(row));
        }
        Map<String, Total> theirs = new TreeMap<>();
        for (List<String> row : LoadedRealTraces.expected(name, "slices")) {
            theirs.put(row.get(0), new Total(Long.parseLong(row.get(1)), Long.parseLong(row.get(2))));
        }
        ours.keySet().retainAll(theirs.keySet());

        assertThat(ours).isEqualTo(theirs);
    }

    @Test
    void frameTimelinesAreFramesAndNoSlices() throws IOException {
        assertThat(LoadedRealTraces.expected(A12, "slices"))
                .allMatch(row -> row.get(0).matches("\\d+"));
        assertThat(LoadedRealTraces.load(A12).slices().size()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {A7, A11, A12, A13, A15})
    void frames(String name) throws IOException {
        Trace trace = LoadedRealTraces.load(name);
        Frames frames = trace.frames();
        Map<String, Total> ours = new TreeMap<>();
        for (int row = 0; row < frames.size(); row++) {
            String jank = JankType.in(frames.jankMask(row)).stream()
                    .map(JankType::text)
                    .collect(Collectors.joining(", "));
            String process = trace.processes().name(frames.upid(row));
            String present = frames.presentType(row).text();
            add(ours, process + "|" + jank + "|" + present, frames.isOpen(row) ? -1 : frames.dur(row));
        }
        Map<String, Total> theirs = new TreeMap<>();
        for (List<String> row : LoadedRealTraces.expected(name, "frames")) {
            theirs.put(
                    row.get(0) + "|" + row.get(1) + "|" + row.get(2),
                    new Total(Long.parseLong(row.get(3)), Long.parseLong(row.get(4))));
        }

        assertThat(ours).isEqualTo(theirs);
    }

    @ParameterizedTest
    @ValueSource(strings = {A7, A11, A12, A13, A15})
    void contentionSlicesLieWhereTheirsDo(String name) throws IOException {
        Trace trace = LoadedRealTraces.load(name);
        Threads threads = trace.threads();
        List<String> missing = new ArrayList<>();
        for (List<String> row : LoadedRealTraces.expected(name, "monitor_contention")) {
            long ts = Long.parseLong(row.get(0));
            int utid = threads.find(Integer.parseInt(row.get(4)), ts);
            String process = utid < 0 ? null : trace.processes().name(threads.upid(utid));
            if (utid < 0 || !hasContention(trace, utid, ts, Long.parseLong(row.get(1)))) {
                missing.add(row.toString());
            } else if (!row.get(3).equals(threads.name(utid)) || !row.get(2).equals(process)) {
                missing.add(row + " is " + threads.name(utid) + " of " + process);
            }
        }

        if (name.equals(A7)) {
            // A dying process renames its main thread; the trace processor then renames the process too, this model
            // keeps its command line.
            assertThat(missing)
                    .singleElement()
                    .asString()
                    .contains("Shutdown thread")
                    .endsWith("of app_process");
        } else {
            assertThat(missing).isEmpty();
        }
    }

    private static boolean hasContention(Trace trace, int utid, long ts, long ns) {
        Slices slices = trace.slices();
        for (int row = slices.first(utid); row < slices.end(utid) && slices.ts(row) <= ts; row++) {
            if (slices.ts(row) == ts
                    && slices.name(row).startsWith("monitor contention with owner ")
                    && slices.dur(row) == ns) {
                return true;
            }
        }
        return false;
    }

    @ParameterizedTest
    @ValueSource(strings = {A7, A11, A12, A13, A15})
    void statesHaveNoGapsAndAgreeWithTheCpus(String name) {
        Trace trace = LoadedRealTraces.load(name);
        ThreadStates states = trace.threadStates();
        for (int utid = 0; utid < trace.threads().size(); utid++) {
            for (int row = states.first(utid); row < states.end(utid); row++) {
                assertThat(states.dur(row)).isNotNegative();
                assertThat(states.utid(row)).isEqualTo(utid);
                if (row + 1 < states.end(utid)) {
                    assertThat(states.endNs(row)).isEqualTo(states.ts(row + 1));
                }
                if (states.state(row) == SchedState.RUNNING && states.dur(row) > 0) {
                    int cpu = states.cpu(row);
                    int run = trace.cpuRuns().at(cpu, states.ts(row));
                    assertThat(trace.cpuRuns().utid(run)).isEqualTo(utid);
                    assertThat(trace.cpuRuns().priority(run)).isEqualTo(states.priority(row));
                }
            }
        }
    }

    @Test
    void theQueueOfA15ThatAnInversionBlocks() {
        Trace trace = LoadedRealTraces.load(A15);
        Threads threads = trace.threads();
        int main = -1;
        for (int utid = 0; utid < threads.size(); utid++) {
            int upid = threads.upid(utid);
            if (threads.isMain(utid)
                    && "com.android.launcher3".equals(trace.processes().name(upid))) {
                main = utid;
            }
        }
        assertThat(threads.name(main)).isEqualTo("droid.launcher3");
        Slices slices = trace.slices();
        int blocked = -1;
        for (int row = slices.first(main); row < slices.end(main); row++) {
            if (slices.name(row).startsWith("monitor contention with owner binder:3363_2 (3384)")) {
                blocked = blocked < 0 || slices.dur(row) > slices.dur(blocked) ? row : blocked;
            }
        }
        assertThat(slices.dur(blocked)).isBetween(9_148_000L, 9_149_000L);

        ThreadStates states = trace.threadStates();
        assertThat(states.priority(states.at(main, slices.ts(blocked)))).isEqualTo(110);
        int owner = threads.find(3384, slices.ts(blocked));
        assertThat(states.priority(states.at(owner, slices.ts(blocked)))).isEqualTo(120);
        long runnable = 0;
        for (int row = states.at(owner, slices.ts(blocked)); states.ts(row) < slices.endNs(blocked); row++) {
            if (states.state(row).isRunnable()) {
                runnable += Math.min(states.endNs(row), slices.endNs(blocked))
                        - Math.max(states.ts(row), slices.ts(blocked));
            }
        }
        assertThat(runnable).isBetween(5_511_500L, 5_512_500L);
    }

    @Test
    void trackEventsOfChrome() {
        Trace trace = LoadedRealTraces.load("a13_pixel4xl_chrome_track_event.pftrace");

        assertThat(trace.slices().firstAsync()).isPositive();
        assertThat(trace.slices().size()).isGreaterThan(20_000);
        assertThat(TraceNote.sentences(TraceGaps.in(trace).warnings()))
                .anyMatch(line -> line.contains("no scheduler events"));
        Set<String> threads = new TreeSet<>();
        for (int utid = 0; utid < trace.threads().size(); utid++) {
            if (trace.slices().end(utid) > trace.slices().first(utid)) {
                threads.add(trace.threads().name(utid));
            }
        }
        assertThat(threads).contains("CrBrowserMain", "VizCompositorThread");
    }

    @Test
    void theSchedulerOnlyTraceHasGaps() {
        assertThat(TraceNote.sentences(TraceGaps.in(LoadedRealTraces.load(A11)).warnings()))
                .anyMatch(line -> line.contains("no slices"));
    }
}

package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.record.jvm.RecordedTarget.Slice;
import dev.unjank.record.kernel.KernelSource;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.trace.model.Args;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Trace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Flight Recorder's clock and the kernel's are one in the trace. A thread that is blocked on a monitor sleeps within
 * that, whatever the machine does: were the clocks apart, the sleep would stick out at one end or the other.
 */
class ClockAlignmentTest {
    /**
     * By how much they may be apart: what lies between the machine's note and the sleep, on a machine that is not busy.
     */
    private static final long APART_NS = 1_000_000;

    /**
     * What the trace itself says of the error, at most: a file may have no tie of its own, and the last one seconds
     * before.
     */
    static final long ERROR_NS = 500_000;

    @TempDir
    Path directory;

    @Test
    void whoIsBlockedSleepsMeanwhileAsTheKernelHasIt() throws IOException {
        try (JvmTargetProcess target = JvmTargetProcess.start("-XX:+EnableDynamicAgentLoading")) {
            KernelSource kernel = new KernelSource(target.pid(), false, false);
            SourceAvailability availability = kernel.probe();
            assumeTrue(availability.isOn(), () -> "needs root and tracefs: " + availability);
            List<RecordingSource> sources = new ArrayList<>(List.of(kernel));
            sources.addAll(new TargetJvm(target.pid()).sources(Duration.ofMillis(1), Duration.ofSeconds(1)));
            RecordedTarget recorded =
                    RecordedTarget.of(target, directory.resolve("clocks"), sources, "blocked", "blocked", "blocked");

            List<Slice> waits = recorded.slices("ui (one)", "monitor contention with owner worker");
            assertThat(waits).hasSize(3).allSatisfy(wait -> {
                List<String> states = new ArrayList<>();
                long[] sleep = longestSleep(recorded.trace(), wait, states);
                assertThat(sleep[1] - sleep[0]).as("of %s: %s", wait, states).isGreaterThan(wait.durNs() / 2);
                assertThat(sleep[0]).as("of %s: %s", wait, states).isGreaterThan(wait.startNs() - APART_NS);
                assertThat(sleep[1]).as("of %s: %s", wait, states).isLessThan(wait.endNs() + APART_NS);
            });
            assertThat(errors(recorded.trace())).isNotEmpty().allMatch(error -> error <= ERROR_NS);
        }
    }

    /** From when to when the thread slept that waits, as the kernel has it. */
    private static long[] longestSleep(Trace trace, Slice wait, List<String> seen) {
        long[] longest = new long[2];
        ThreadStates states = trace.threadStates();
        for (int utid = 0; utid < trace.threads().size(); utid++) {
            for (int row = states.first(utid);
                    trace.threads().tid(utid) == wait.tid() && row < states.end(utid);
                    row++) {
                long from = states.ts(row);
                long to = from + states.dur(row);
                if (to < wait.startNs() || from > wait.endNs()) {
                    continue;
                }
                seen.add(states.state(row) + " " + (from - wait.startNs()) + " to " + (to - wait.startNs()));
                if (states.state(row) == SchedState.SLEEPING && to - from > longest[1] - longest[0]) {
                    longest = new long[] {from, to};
                }
            }
        }
        return longest;
    }

    /** What the trace says of each of Flight Recorder's files. */
    static List<Long> errors(Trace trace) {
        List<Long> errors = new ArrayList<>();
        Slices slices = trace.slices();
        Args args = trace.args();
        for (int row = 0; row < slices.size(); row++) {
            if (slices.name(row).equals("Flight Recorder file")) {
                errors.add(args.number(row, "debug.clock error ns", Long.MAX_VALUE));
            }
        }
        return errors;
    }
}

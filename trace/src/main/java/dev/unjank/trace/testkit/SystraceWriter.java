package dev.unjank.trace.testkit;

import dev.unjank.trace.write.AtraceMarks;
import dev.unjank.trace.write.Task;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Writes systrace text: kernel events as the kernel's tracer prints them, a line each. Times are cut to microseconds, as the
 * kernel prints them; lines need not be in time order.
 */
public final class SystraceWriter {
    private static final String HEAD = """
            # tracer: nop
            #
            #                                      _-----=> irqs-off
            #                                     / _----=> need-resched
            #                                    | / _---=> hardirq/softirq
            #                                    || / _--=> preempt-depth
            #                                    ||| /     delay
            #           TASK-PID    TGID   CPU#  ||||    TIMESTAMP  FUNCTION
            #              | |        |      |   ||||       |         |
            """;

    private final OutputStream out;
    private final Map<Integer, String> comms = new HashMap<>();
    private final Map<Integer, Integer> tgids = new HashMap<>();

    /** Begins a trace. */
    public SystraceWriter(OutputStream out) throws IOException {
        this.out = out;
        comms.put(0, "<idle>");
        write(HEAD);
    }

    /** Names a thread in the lines to come. What was never named has dashes and dots, as the kernel prints it. */
    public void thread(int tid, int tgid, String comm) {
        comms.put(tid, comm);
        tgids.put(tid, tgid);
    }

    /**
     * Ties the clock to two others, as atrace does when it begins.
     *
     * @param realtimeMs what the wall clock shows, ms since 1970
     */
    public void clockSync(long ts, int cpu, int tid, long monotonicNs, long realtimeMs) throws IOException {
        event(ts, cpu, tid, false, "tracing_mark_write: trace_event_clock_sync: parent_ts=" + seconds(monotonicNs));
        event(ts, cpu, tid, false, "tracing_mark_write: trace_event_clock_sync: realtime_ts=" + realtimeMs);
    }

    /** A CPU stops running one thread and starts another. */
    public void schedSwitch(long ts, int cpu, Task prev, String prevState, Task next) throws IOException {
        event(
                ts,
                cpu,
                prev.tid(),
                false,
                "sched_switch: prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s ==> next_comm=%s next_pid=%d next_prio=%d"
                        .formatted(
                                prev.comm(),
                                prev.tid(),
                                prev.priority(),
                                prevState,
                                next.comm(),
                                next.tid(),
                                next.priority()));
    }

    /** A thread, or an interrupt that it is stopped by, wakes another. */
    public void schedWaking(long ts, int cpu, int tid, boolean inInterrupt, Task woken, int targetCpu)
            throws IOException {
        event(
                ts,
                cpu,
                tid,
                inInterrupt,
                "sched_waking: comm=%s pid=%d prio=%d target_cpu=%03d"
                        .formatted(woken.comm(), woken.tid(), woken.priority(), targetCpu));
    }

    /** Why a thread that is being woken slept. */
    public void schedBlockedReason(long ts, int cpu, int tid, int woken, boolean ioWait, String function)
            throws IOException {
        event(
                ts,
                cpu,
                tid,
                false,
                "sched_blocked_reason: pid=%d iowait=%d caller=%s+0x1c/0x230"
                        .formatted(woken, ioWait ? 1 : 0, function));
    }

    /** A thread writes a mark. */
    public void mark(long ts, int cpu, int tid, String text) throws IOException {
        event(ts, cpu, tid, false, "tracing_mark_write: " + text);
    }

    /** Any other event. */
    public void event(long ts, int cpu, int tid, boolean inInterrupt, String text) throws IOException {
        Integer tgid = tgids.get(tid);
        write("%16s-%-5d (%5s) [%03d] d.%s3 %s: %s%n"
                .formatted(
                        comms.getOrDefault(tid, "<...>"),
                        tid,
                        tgid == null ? "-----" : tgid,
                        cpu,
                        inInterrupt ? "h" : ".",
                        seconds(ts),
                        text)
                .replace(System.lineSeparator(), "\n"));
    }

    private static String seconds(long ns) {
        return String.format(Locale.ROOT, "%d.%06d", ns / 1_000_000_000, ns % 1_000_000_000 / 1000);
    }

    private void write(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}

package dev.unjank.scene;

import dev.unjank.trace.write.Task;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Writes systrace text: kernel events as the kernel's tracer prints them, one per line. Times are truncated to
 * microseconds, as in the kernel; lines need not be in time order.
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

    /** Names a thread in the following lines. Unnamed threads have dashes and dots, as in the kernel. */
    public void thread(int tid, int tgid, String comm) {
        comms.put(tid, comm);
        tgids.put(tid, tgid);
    }

    /**
     * Writes clock marks, as atrace does at its start.
     *
     * @param realtimeMs the wall clock, ms since 1970
     */
    public void clockSync(long ts, int cpu, int tid, long monotonicNs, long realtimeMs) throws IOException {
        event(ts, cpu, tid, false, "tracing_mark_write: trace_event_clock_sync: parent_ts=" + seconds(monotonicNs));
        event(ts, cpu, tid, false, "tracing_mark_write: trace_event_clock_sync: realtime_ts=" + realtimeMs);
    }

    /** Writes a sched_switch. */
    public void schedSwitch(long ts, int cpu, Task prev, String prevState, Task next) throws IOException {
        event(
                ts,
                cpu,
                prev.tid(),
                false,
                ("sched_switch: prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s ==> next_comm=%s next_pid=%d"
                                + " next_prio=%d")
                        .formatted(
                                prev.comm(),
                                prev.tid(),
                                prev.priority(),
                                prevState,
                                next.comm(),
                                next.tid(),
                                next.priority()));
    }

    /** Writes a sched_waking by a thread, or by an interrupt handler that interrupted this thread. */
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

    /** Writes a sched_blocked_reason. */
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

    /** Writes a mark of a thread. */
    public void mark(long ts, int cpu, int tid, String text) throws IOException {
        event(ts, cpu, tid, false, "tracing_mark_write: " + text);
    }

    /** Writes any other event. */
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

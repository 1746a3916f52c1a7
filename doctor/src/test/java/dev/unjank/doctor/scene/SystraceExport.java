package dev.unjank.doctor.scene;

import dev.unjank.scene.SystraceWriter;
import dev.unjank.trace.model.CpuRuns;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.write.AtraceMarks;
import dev.unjank.trace.write.Task;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * A trace as systrace text or as a systrace page, with the events that it supports: running threads, wakers, sleep
 * states, slices of threads.
 */
final class SystraceExport {
    private final Trace trace;
    private final Threads threads;
    private final ThreadStates states;
    private final List<Line> lines = new ArrayList<>();

    private SystraceExport(Trace trace) {
        this.trace = trace;
        this.threads = trace.threads();
        this.states = trace.threadStates();
    }

    private interface Writing {
        void to(SystraceWriter writer) throws IOException;
    }

    /** Lines of the same time are sorted by rank. */
    private record Line(long ts, int rank, Writing writing) {}

    static byte[] of(Trace trace) {
        SystraceExport text = new SystraceExport(trace);
        text.switches();
        text.wakeUps();
        text.slices();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            SystraceWriter writer = new SystraceWriter(bytes);
            for (int utid = 1; utid < trace.threads().size(); utid++) {
                int upid = trace.threads().upid(utid);
                if (upid >= 0) {
                    writer.thread(trace.threads().tid(utid), trace.processes().pid(upid), text.comm(utid));
                }
            }
            text.lines.sort(Comparator.comparingLong(Line::ts).thenComparingInt(Line::rank));
            for (Line line : text.lines) {
                line.writing.to(writer);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /**
     * As a page of Google's systrace: with lists of processes and threads, which have no event times, around the
     * events.
     */
    static byte[] page(Trace trace) {
        String begin = "  <script class=\"trace-data\" type=\"application/text\">\n";
        String end = "  </script>\n";
        return ("<!DOCTYPE html>\n<html><head><title>Android System Trace</title></head><body>\n"
                        + begin + lists(trace) + end
                        + begin + new String(of(trace), StandardCharsets.UTF_8) + lists(trace) + end
                        + "</body></html>\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String lists(Trace trace) {
        StringBuilder text = new StringBuilder("""
                PROCESS DUMP
                USER            PID   PPID     VSZ    RSS WCHAN            PC S NAME                        COMM
                """);
        for (int upid = 0; upid < trace.processes().size(); upid++) {
            String name = trace.processes().name(upid);
            text.append(String.format(
                    Locale.ROOT,
                    "system %d 1 5093924 346136 SyS_epoll_wait 0 S %s app_process32\n",
                    trace.processes().pid(upid),
                    name == null ? "<pre-initialized>" : name));
        }
        text.append("USER            PID   TID CMD\n");
        for (int utid = 1; utid < trace.threads().size(); utid++) {
            int upid = trace.threads().upid(utid);
            String name = trace.threads().name(utid);
            if (upid >= 0 && name != null) {
                text.append(String.format(
                        Locale.ROOT,
                        "system %d %d %s\n",
                        trace.processes().pid(upid),
                        trace.threads().tid(utid),
                        name));
            }
        }
        return text.toString();
    }

    private String comm(int utid) {
        String name = threads.name(utid);
        return name == null ? "<...>" : name;
    }

    private Task task(int utid, int priority) {
        return utid == Threads.IDLE
                ? Task.idle(0)
                : new Task(threads.tid(utid), comm(utid), priority == ThreadStates.NO_PRIORITY ? 120 : priority);
    }

    private void switches() {
        CpuRuns runs = trace.cpuRuns();
        for (int cpu = 0; cpu < runs.cpus(); cpu++) {
            int onCpu = cpu;
            Task before = Task.idle(cpu);
            int beforeUtid = Threads.IDLE;
            for (int row = runs.first(cpu); row < runs.end(cpu); row++) {
                long ts = runs.ts(row);
                Task prev = before;
                Task next = task(runs.utid(row), runs.priority(row));
                String why = beforeUtid == Threads.IDLE ? "R" : letters(states.at(beforeUtid, ts));
                lines.add(new Line(ts, 1, writer -> writer.schedSwitch(ts, onCpu, prev, why, next)));
                before = next;
                beforeUtid = runs.utid(row);
            }
        }
    }

    private String letters(int row) {
        return row < 0
                ? "S"
                : switch (states.state(row)) {
                    case RUNNABLE, RUNNING -> "R";
                    case RUNNABLE_PREEMPTED -> "R+";
                    case UNINTERRUPTIBLE -> "D";
                    case DEAD -> "X";
                    case STOPPED -> "T";
                    case TRACED -> "t";
                    default -> "S";
                };
    }

    private void wakeUps() {
        for (int utid = 1; utid < threads.size(); utid++) {
            for (int row = states.first(utid) + 1; row < states.end(utid); row++) {
                if (states.state(row) == SchedState.RUNNABLE && letters(row - 1).matches("[SDTt]")) {
                    wakeUp(utid, row);
                }
            }
        }
    }

    private void wakeUp(int utid, int row) {
        long ts = states.ts(row);
        int waker = Math.max(Threads.IDLE, states.waker(row));
        int at = waker == Threads.IDLE ? -1 : states.at(waker, ts);
        int cpu = at < 0 ? 0 : Math.max(0, states.cpu(at));
        boolean interrupt = waker == Threads.IDLE;
        Task woken = task(utid, states.priority(row));
        int wakerTid = threads.tid(interrupt ? runningOn(cpu, ts) : waker);
        lines.add(new Line(ts, 0, writer -> writer.schedWaking(ts, cpu, wakerTid, interrupt, woken, cpu)));
        String function = states.blockedFunction(row - 1);
        if (function != null) {
            boolean ioWait = states.ioWait(row - 1);
            lines.add(new Line(
                    ts, 0, writer -> writer.schedBlockedReason(ts, cpu, wakerTid, woken.tid(), ioWait, function)));
        }
    }

    private void slices() {
        Slices slices = trace.slices();
        for (int row = 0; row < slices.firstAsync(); row++) {
            int utid = slices.utid(row);
            int tid = threads.tid(utid);
            int pid = trace.processes().pid(threads.upid(utid));
            long from = slices.ts(row);
            long to = slices.endNs(row);
            int depth = slices.depth(row);
            String name = slices.name(row);
            int cpu = cpuAt(utid, from);
            int endCpu = cpuAt(utid, to);
            lines.add(new Line(from, 100 + depth, writer -> writer.mark(from, cpu, tid, AtraceMarks.begin(pid, name))));
            if (!slices.isOpen(row)) {
                lines.add(new Line(to, 99 - depth, writer -> writer.mark(to, endCpu, tid, AtraceMarks.end(pid))));
            }
        }
    }

    /** The thread that an interrupt interrupts. */
    private int runningOn(int cpu, long ts) {
        int run = cpu < trace.cpuRuns().cpus() ? trace.cpuRuns().at(cpu, ts) : -1;
        return run < 0 ? Threads.IDLE : trace.cpuRuns().utid(run);
    }

    /**
     * The CPU on which a thread runs at a time or until then; a thread of a trace without scheduling is on the first
     * CPU.
     */
    private int cpuAt(int utid, long ts) {
        int row = states.at(utid, ts);
        boolean ran = row > states.first(utid) && states.state(row) != SchedState.RUNNING && states.ts(row) == ts;
        return row < 0 ? 0 : Math.max(0, states.cpu(ran ? row - 1 : row));
    }
}

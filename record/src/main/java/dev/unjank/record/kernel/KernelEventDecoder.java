package dev.unjank.record.kernel;

import dev.unjank.trace.write.FtraceCpuWriter;
import dev.unjank.trace.write.Task;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Converts kernel events to events of the trace, with a decoder for each event of this kernel, by the type number of
 * the records. All context switches of all CPUs are kept, since they show which threads preempted the target; other
 * events can be limited to one process {@link TracedThreads}). Not thread-safe.
 */
final class KernelEventDecoder implements PageDecoder {
    static final List<String> SCHEDULING = List.of(
            "sched/sched_switch",
            "sched/sched_waking",
            "sched/sched_blocked_reason",
            "sched/sched_pi_setprio",
            "sched/sched_process_exit",
            "task/task_newtask",
            "task/task_rename");

    static final List<String> FUTEX = List.of("syscalls/sys_enter_futex", "syscalls/sys_exit_futex");

    private static final int CLONE_THREAD = 0x10000;

    private final CommCache comms = new CommCache();
    private final TracedThreads traced;
    private final Map<Integer, Decoder> decoders = new HashMap<>();
    private final List<String> missing = new ArrayList<>();
    private final EventFormat.Field type;
    private final EventFormat.Field pid;
    private final EventFormat.Field flags;

    // The writer and the iterator of the page that is being read.
    private FtraceCpuWriter cpu;
    private RingBufferPage page;
    private long ts;

    /** Decodes the current event of the page. */
    @FunctionalInterface
    private interface Decoder {
        void decode(int running) throws IOException;
    }

    /** Creates decoders for the events that the kernel has. */
    @SuppressWarnings("NullAway.Init") // the page is set before each decoder runs
    KernelEventDecoder(TraceFs fs, List<String> events, TracedThreads traced) throws IOException {
        this.traced = traced;
        EventFormat common = fs.format("sched/sched_switch");
        type = common.field("common_type");
        pid = common.field("common_pid");
        flags = common.field("common_flags");
        for (String event : events) {
            if (fs.has(event)) {
                EventFormat format = fs.format(event);
                decoders.put(format.id(), decoder(format));
            } else {
                missing.add(event.substring(event.indexOf('/') + 1));
            }
        }
    }

    /** The events that the kernel does not have. */
    List<String> missing() {
        return missing;
    }

    private Decoder decoder(EventFormat format) throws IOException {
        return switch (format.name()) {
            case "sched_switch" -> schedSwitch(format);
            case "sched_waking" -> waking(format);
            case "sched_blocked_reason" -> blockedReason(format);
            case "sched_pi_setprio" -> piSetprio(format);
            case "sched_process_exit" -> exit(format);
            case "task_newtask" -> newTask(format);
            case "task_rename" -> rename(format);
            case "sys_enter_futex" -> enterFutex(format);
            case "sys_exit_futex" -> exitFutex(format);
            default -> throw new IllegalArgumentException(format.name());
        };
    }

    @Override
    public void missed(FtraceCpuWriter to) throws IOException {
        to.lostEvents();
    }

    @Override
    public boolean take(RingBufferPage from, FtraceCpuWriter to, long bootTime) throws IOException {
        Decoder decoder = decoders.get((int) from.number(type));
        if (decoder == null) {
            return false;
        }
        page = from;
        cpu = to;
        ts = bootTime;
        recorded = true;
        decoder.decode((int) from.number(pid));
        return recorded;
    }

    private boolean recorded;

    private Decoder schedSwitch(EventFormat format) throws IOException {
        EventFormat.Field prevComm = format.field("prev_comm");
        EventFormat.Field prevPid = format.field("prev_pid");
        EventFormat.Field prevPrio = format.field("prev_prio");
        EventFormat.Field prevState = format.field("prev_state");
        EventFormat.Field nextComm = format.field("next_comm");
        EventFormat.Field nextPid = format.field("next_pid");
        EventFormat.Field nextPrio = format.field("next_prio");
        return running -> {
            Task prev = task(prevPid, prevComm, prevPrio);
            Task next = task(nextPid, nextComm, nextPrio);
            traced.seen(next.tid(), next.priority());
            cpu.schedSwitch(ts, prev, page.number(prevState), next);
        };
    }

    private Decoder waking(EventFormat format) throws IOException {
        EventFormat.Field comm = format.field("comm");
        EventFormat.Field woken = format.field("pid");
        EventFormat.Field prio = format.field("prio");
        EventFormat.Field target = format.field("target_cpu");
        return running -> {
            int tid = (int) page.number(woken);
            if (traced.concerns(running) || traced.concerns(tid)) {
                cpu.schedWaking(
                        ts, running, task(woken, comm, prio), (int) page.number(target), (int) page.number(flags));
            } else {
                recorded = false;
            }
        };
    }

    private Decoder blockedReason(EventFormat format) throws IOException {
        EventFormat.Field tid = format.field("pid");
        EventFormat.Field ioWait = format.field("io_wait");
        return running -> {
            int blocked = (int) page.number(tid);
            if (traced.concerns(blocked)) {
                cpu.schedBlockedReason(ts, running, blocked, page.number(ioWait) != 0, null);
            } else {
                recorded = false;
            }
        };
    }

    private Decoder piSetprio(EventFormat format) throws IOException {
        EventFormat.Field comm = format.field("comm");
        EventFormat.Field tid = format.field("pid");
        EventFormat.Field oldPrio = format.field("oldprio");
        EventFormat.Field newPrio = format.field("newprio");
        return running -> cpu.schedPiSetprio(ts, running, task(tid, comm, newPrio), (int) page.number(oldPrio));
    }

    private Decoder exit(EventFormat format) throws IOException {
        EventFormat.Field comm = format.field("comm");
        EventFormat.Field tid = format.field("pid");
        EventFormat.Field prio = format.field("prio");
        return running -> {
            Task task = task(tid, comm, prio);
            cpu.schedProcessExit(ts, task, traced.processOf(task.tid()));
            traced.exited(task.tid());
        };
    }

    private Decoder newTask(EventFormat format) throws IOException {
        EventFormat.Field comm = format.field("comm");
        EventFormat.Field tid = format.field("pid");
        EventFormat.Field cloneFlags = format.field("clone_flags");
        return running -> {
            boolean sameProcess = (page.number(cloneFlags) & CLONE_THREAD) != 0;
            int child = (int) page.number(tid);
            traced.created(running, child, sameProcess);
            cpu.taskNewtask(ts, running, new Task(child, name(running, comm), 0), sameProcess);
        };
    }

    private Decoder rename(EventFormat format) throws IOException {
        EventFormat.Field tid = format.field("pid");
        EventFormat.Field oldComm = format.field("oldcomm");
        EventFormat.Field newComm = format.field("newcomm");
        return running -> {
            int renamed = (int) page.number(tid);
            traced.renamed(renamed);
            cpu.taskRename(ts, running, renamed, name(renamed, oldComm), name(renamed, newComm));
        };
    }

    private Decoder enterFutex(EventFormat format) throws IOException {
        EventFormat.Field number = format.field("__syscall_nr");
        EventFormat.Field address = format.field("uaddr");
        EventFormat.Field operation = format.field("op");
        EventFormat.Field value = format.field("val");
        return running -> {
            if (traced.concerns(running)) {
                cpu.sysEnter(
                        ts,
                        running,
                        page.number(number),
                        page.number(address),
                        page.number(operation),
                        page.number(value));
            } else {
                recorded = false;
            }
        };
    }

    private Decoder exitFutex(EventFormat format) throws IOException {
        EventFormat.Field number = format.field("__syscall_nr");
        EventFormat.Field result = format.field("ret");
        return running -> {
            if (traced.concerns(running)) {
                cpu.sysExit(ts, running, page.number(number), page.number(result));
            } else {
                recorded = false;
            }
        };
    }

    private Task task(EventFormat.Field tid, EventFormat.Field comm, EventFormat.Field prio) {
        int number = (int) page.number(tid);
        return new Task(number, name(number, comm), (int) page.number(prio));
    }

    private String name(int tid, EventFormat.Field comm) {
        return traced.shown(tid, page.text(comm, comms));
    }
}

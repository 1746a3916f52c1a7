package dev.unjank.record.kernel;

import dev.unjank.record.linux.Proc;
import dev.unjank.record.session.TraceSink;
import java.util.HashMap;
import java.util.Map;

/**
 * Looks up the names and processes of threads in {@code /proc}, since the kernel's events do not contain them. A thread that has ended
 * before the lookup keeps the name in its events.
 */
final class ThreadNames {
    private final Proc proc;
    private final TracedThreads traced;
    private final TraceSink sink;

    /** The names of processes in the trace, by pid. */
    private final Map<Integer, String> processes = new HashMap<>();

    ThreadNames(Proc proc, TracedThreads traced, TraceSink sink) {
        this.proc = proc;
        this.traced = traced;
        this.sink = sink;
    }

    /** Names all processes and threads. */
    void all() {
        proc.processes().forEach(this::ofProcess);
    }

    void ofProcess(int pid) {
        for (Proc.Task task : proc.tasks(pid)) {
            name(task);
        }
    }

    /** Names new threads, and drops ended ones. */
    void update() {
        for (int tid : traced.takeUnnamed()) {
            Proc.Task task = proc.task(tid);
            if (task == null) {
                traced.gone(tid);
            } else {
                name(task);
            }
        }
        for (Integer tid; (tid = traced.ended().poll()) != null; ) {
            processes.remove(tid);
            sink.gone(tid);
        }
    }

    private void name(Proc.Task task) {
        boolean isMain = task.tid() == task.pid(); // an exec renames it, and the process with it
        if (isMain || !processes.containsKey(task.pid())) {
            nameProcess(task.pid());
        }
        traced.named(task.tid(), task.pid());
        sink.kernelThread(task.pid(), task.tid(), traced.shown(task.tid(), task.comm()));
        if (traced.isTarget(task.pid())) {
            writeScheduling(task);
        }
    }

    private void nameProcess(int pid) {
        Proc.Info process = proc.process(pid);
        if (process != null) {
            boolean shown = traced.isShown(pid);
            String name = shown ? process.name() : TracedThreads.HIDDEN_NAME;
            if (!name.equals(processes.put(pid, name))) {
                sink.process(pid, process.parentPid(), name, shown && process.isJvm());
            }
        }
    }

    /** Context switches contain priorities, but not the policy. */
    private void writeScheduling(Proc.Task task) {
        Proc.Scheduling scheduling = proc.scheduling(task.tid());
        if (scheduling != null) {
            sink.scheduling(
                    task.tid(), task.comm(), scheduling.policy(), scheduling.nice(), scheduling.realTimePriority());
        }
    }
}

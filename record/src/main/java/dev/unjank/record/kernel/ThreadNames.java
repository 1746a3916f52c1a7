package dev.unjank.record.kernel;

import dev.unjank.record.linux.Proc;
import dev.unjank.record.session.TraceSink;
import java.util.HashSet;
import java.util.Set;

/**
 * Finds out what the threads and processes are called that turn up in the kernel's events, since these say neither to which
 * process a thread belongs nor what that runs. One that has ended before anybody could ask keeps the name in its events.
 */
final class ThreadNames {
    private final Proc proc;
    private final TracedThreads watched;
    private final TraceSink sink;
    private final Set<Integer> processes = new HashSet<>();

    ThreadNames(Proc proc, TracedThreads watched, TraceSink sink) {
        this.proc = proc;
        this.watched = watched;
        this.sink = sink;
    }

    /** Names all that there are. */
    void all() {
        proc.processes().forEach(this::ofProcess);
    }

    /** Names a process and its threads. */
    void ofProcess(int pid) {
        for (Proc.Task task : proc.tasks(pid)) {
            name(task);
        }
    }

    /** Names what has turned up since, and forgets what has ended. */
    void update() {
        for (int tid : watched.takeUnnamed()) {
            Proc.Task task = proc.task(tid);
            if (task == null) {
                watched.gone(tid);
            } else {
                name(task);
            }
        }
        for (Integer tid; (tid = watched.ended().poll()) != null; ) {
            processes.remove(tid);
            sink.gone(tid);
        }
    }

    private void name(Proc.Task task) {
        if (processes.add(task.pid())) {
            Proc.Info process = proc.process(task.pid());
            if (process != null) {
                boolean shown = watched.isShown(process.pid());
                String name = shown ? process.name() : TracedThreads.SOMEBODY;
                sink.process(process.pid(), process.parentPid(), name, shown && process.isJvm());
            }
        }
        watched.named(task.tid(), task.pid());
        sink.kernelThread(task.pid(), task.tid(), watched.shown(task.tid(), task.comm()));
        if (watched.isTarget(task.pid())) {
            tellScheduling(task);
        }
    }

    /** Priorities come with every switch; the policy behind them does not. */
    private void tellScheduling(Proc.Task task) {
        Proc.Scheduling scheduling = proc.scheduling(task.tid());
        if (scheduling != null) {
            sink.scheduling(
                    task.tid(), task.comm(), scheduling.policy(), scheduling.nice(), scheduling.realTimePriority());
        }
    }
}

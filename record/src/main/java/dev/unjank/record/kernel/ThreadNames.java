package dev.unjank.record.kernel;

import dev.unjank.record.lifecycle.EndLimits;
import dev.unjank.record.linux.Proc;
import dev.unjank.record.session.TraceSink;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Looks up the names and processes of threads in {@code /proc}, since the kernel's events do not contain them. A thread
 * that has ended before the lookup keeps the name in its events.
 *
 * <p>Reading the command line of another user's process takes a child process. So each round, which is one call of
 * {@link #update()}, has a limited time for reading names of processes. Each process except the target is read a few
 * times at once, then at most once per second. Thus neither a process that renames itself often, nor many such
 * processes, can keep the recorder from reading the kernel's buffers. A process whose name is read later has the
 * kernel's name until then.
 *
 * <p>A round has a limited time for all other lookups too, since a user may start thousands of processes at once. The
 * target's threads are looked up first; the next round continues with the others.
 *
 * <p>Not thread-safe.
 */
final class ThreadNames {
    /** The time for names at the start of the recording. */
    private static final long MOST_AT_START_NANOS = TimeUnit.MILLISECONDS.toNanos(1_000);

    /** The time for reading names of processes in a round. There are up to 25 rounds per second. */
    private static final long MOST_PER_ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** The time for looking up threads in a round, which may include the one for reading names of processes. */
    private static final long MOST_LOOKUPS_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** The same at the end of the recording, after a round that may have just begun. */
    private static final long MOST_AT_END_NANOS = EndLimits.NAMES.toNanos() - MOST_PER_ROUND_NANOS - MOST_LOOKUPS_NANOS;

    /**
     * The number of reads of a process's name before a pause. A shell that starts a program through another program
     * needs fewer.
     */
    private static final int READS_AT_ONCE = 4;

    /** The minimum time between further reads of a process's name. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Proc proc;
    private final TracedThreads traced;
    private final TraceSink sink;
    private final LongSupplier clock;

    /** The names of processes in the trace, by pid. */
    private final Map<Integer, String> processes = new HashMap<>();

    /** The reads of each process, by pid. */
    private final Map<Integer, Reads> reads = new HashMap<>();

    /** The processes whose names are to be read, the first to be read first. */
    private final Set<Integer> pending = new LinkedHashSet<>();

    /** The end of the time for reading names in this round, on the clock. */
    private long readUntil;

    /** Whether command lines of other users may be read, which takes time. */
    private boolean mayWait = true;

    /** The number of reads of a process's name, and the time of the last one. */
    private record Reads(int count, long last) {
        boolean mayFollow(long now) {
            return count < READS_AT_ONCE || now - last >= PAUSE_NANOS;
        }
    }

    ThreadNames(Proc proc, TracedThreads traced, TraceSink sink) {
        this(proc, traced, sink, System::nanoTime);
    }

    /** Creates it with a clock in ns, for tests. */
    ThreadNames(Proc proc, TracedThreads traced, TraceSink sink, LongSupplier clock) {
        this.proc = proc;
        this.traced = traced;
        this.sink = sink;
        this.clock = clock;
    }

    /**
     * Names the threads of some processes at the start of the recording. After a limited time, or when
     * {@code isEnding}, the others are left to the rounds.
     */
    void start(List<Integer> pids, BooleanSupplier isEnding) {
        limitReading(MOST_AT_START_NANOS);
        boolean hasTime = true;
        for (int pid : pids) {
            if (hasTime) {
                hasTime = nameThreads(pid, isEnding);
            } else {
                traced.listed(pid, pid);
            }
        }
    }

    private boolean hasTime(BooleanSupplier isEnding) {
        return clock.getAsLong() - readUntil < 0 && !isEnding.getAsBoolean();
    }

    /** Names the threads of a process; returns false if there is no time for the others. */
    private boolean nameThreads(int pid, BooleanSupplier isEnding) {
        boolean hasTime = true;
        for (int tid : proc.tids(pid)) {
            hasTime = hasTime && hasTime(isEnding);
            if (hasTime) {
                Proc.Task task = proc.task(pid, tid);
                if (task != null) {
                    name(task, clock.getAsLong());
                }
            } else {
                traced.listed(tid, pid);
            }
        }
        return hasTime;
    }

    private void limitReading(long nanos) {
        readUntil = clock.getAsLong() + nanos;
    }

    /** Names new threads, and drops ended ones. */
    void update() {
        limitReading(MOST_PER_ROUND_NANOS);
        readPending();
        nameUnnamed(MOST_LOOKUPS_NANOS);
        dropEnded();
    }

    /**
     * Names new threads, and drops ended ones, at the end of the recording. Reads no names that could delay the end.
     */
    void updateAtEnd() {
        mayWait = false;
        nameUnnamed(MOST_AT_END_NANOS);
        dropEnded();
    }

    private void readPending() {
        for (int pid : List.copyOf(pending)) {
            long now = clock.getAsLong();
            if (now - readUntil >= 0) {
                return;
            }
            if (readsOf(pid, now).mayFollow(now)) {
                nameProcess(pid, now);
            }
        }
    }

    private void nameUnnamed(long nanos) {
        if (!traced.hasUnnamed()) {
            return;
        }
        long begun = clock.getAsLong();
        for (long now = begun; traced.hasUnnamed() && now - begun < nanos; now = clock.getAsLong()) {
            int tid = traced.takeUnnamed();
            Proc.Task task = proc.task(tid);
            if (task == null) {
                traced.gone(tid);
            } else {
                name(task, now);
            }
        }
    }

    private void dropEnded() {
        for (Integer tid; (tid = traced.ended().poll()) != null; ) {
            processes.remove(tid);
            reads.remove(tid);
            pending.remove(tid);
            sink.gone(tid);
        }
    }

    private void name(Proc.Task task, long now) {
        boolean isMain = task.tid() == task.pid(); // exec renames the main thread and so the process
        if (isMain || !processes.containsKey(task.pid())) {
            nameProcess(task.pid(), now);
        }
        traced.named(task.tid(), task.pid());
        sink.kernelThread(task.pid(), task.tid(), traced.shown(task.tid(), task.comm()));
        if (traced.isTarget(task.pid())) {
            writeScheduling(task);
        }
    }

    private Reads readsOf(int pid, long now) {
        return reads.getOrDefault(pid, new Reads(0, now));
    }

    private void nameProcess(int pid, long now) {
        Reads before = readsOf(pid, now);
        boolean isTurn = mayWait && (traced.isTarget(pid) || (now - readUntil < 0 && before.mayFollow(now)));
        Proc.Info process = isTurn ? proc.process(pid) : proc.processAtOnce(pid);
        if (process != null) {
            pending.remove(pid);
            reads.put(pid, new Reads(before.count + 1, now));
        } else if (pending.add(pid) && !processes.containsKey(pid)) {
            process = proc.processByKernelName(pid);
        }
        if (process != null) {
            write(process);
        } else if (!processes.containsKey(pid)) {
            pending.remove(pid); // it has ended
        }
    }

    private void write(Proc.Info process) {
        boolean shown = traced.isShown(process.pid());
        String name = shown ? process.name() : TracedThreads.HIDDEN_NAME;
        if (!name.equals(processes.put(process.pid(), name))) {
            sink.process(process.pid(), process.parentPid(), name, shown && process.isJvm());
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

package dev.unjank.record.live;

import dev.unjank.record.linux.Proc;
import dev.unjank.record.linux.Proc.CpuTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The CPU usage of the threads of a process, from {@code schedstat}. It does not need root or the cooperation of the
 * process. Not thread-safe.
 */
public final class ThreadCpuLoads {
    private final Proc proc;
    private final int pid;
    private Map<Integer, CpuTimes> before;
    private long lookedAt;

    /** Starts the first interval. */
    public ThreadCpuLoads(int pid) {
        this(Proc.SYSTEM, pid, System.nanoTime());
    }

    ThreadCpuLoads(Proc proc, int pid, long now) {
        this.proc = proc;
        this.pid = pid;
        before = proc.cpuTimes(pid);
        lookedAt = now;
    }

    /**
     * The CPU usage of a thread in an interval: the shares of the time, 0 to 1, in which it was running, and runnable,
     * waiting for a CPU.
     */
    public record Load(int tid, double ran, double ready) {}

    /** Ends an interval and starts the next. */
    public List<Load> look() {
        return look(System.nanoTime());
    }

    List<Load> look(long now) {
        Map<Integer, CpuTimes> times = proc.cpuTimes(pid);
        double elapsed = Math.max(1, now - lookedAt);
        List<Load> loads = new ArrayList<>(times.size());
        times.forEach((tid, then) -> {
            CpuTimes last = before.getOrDefault(tid, new CpuTimes(0, 0));
            loads.add(new Load(
                    tid, share(then.ranNs() - last.ranNs(), elapsed), share(then.readyNs() - last.readyNs(), elapsed)));
        });
        before = times;
        lookedAt = now;
        return loads;
    }

    /** Clamped, since the kernel's sums and the clock are not read at the same time. */
    private static double share(long ns, double elapsed) {
        return Math.clamp(ns / elapsed, 0, 1);
    }

    /** The kernel's name of a thread, at most 15 characters; {@code thread TID} if it has ended. */
    public String name(int tid) {
        Proc.Task task = proc.task(tid);
        return task == null ? "thread " + tid : task.comm();
    }

    /**
     * The state of a thread, as the kernel's letter: {@code R} running or runnable, {@code S} sleeping, {@code D}
     * uninterruptible sleep; {@code '?'} if gone.
     */
    public char state(int tid) {
        return proc.state(tid);
    }
}

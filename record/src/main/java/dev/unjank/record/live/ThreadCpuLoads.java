package dev.unjank.record.live;

import dev.unjank.record.linux.Proc;
import dev.unjank.record.linux.Proc.CpuTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the threads of a process have of the CPUs, from one look to the next. The kernel counts that for everybody, so it takes neither
 * root nor anything of the process. Not for several threads.
 */
public final class ThreadCpuLoads {
    private final Proc proc;
    private final int pid;
    private Map<Integer, CpuTimes> before;
    private long lookedAt;

    /**
     * Begins to count.
     *
     * @param pid the process
     */
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
     * A thread, since the last look.
     *
     * @param tid its number
     * @param ran the share of the time in which it ran, 0 to 1
     * @param ready the share in which it was ready to run and others did
     */
    public record Load(int tid, double ran, double ready) {}

    /**
     * Looks again.
     *
     * @return all threads that there are
     */
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

    /** The kernel's sums and our clock are not read at one moment. */
    private static double share(long ns, double elapsed) {
        return Math.clamp(ns / elapsed, 0, 1);
    }

    /**
     * The kernel's name of a thread.
     *
     * @param tid the thread
     * @return at most 15 characters; {@code thread NUMBER} if it is gone
     */
    public String name(int tid) {
        Proc.Task task = proc.task(tid);
        return task == null ? "thread " + tid : task.comm();
    }

    /**
     * What a thread is doing at this moment.
     *
     * @param tid the thread
     * @return the kernel's letter: {@code R} running or ready to, {@code S} asleep, {@code D} asleep in the kernel; {@code '?'} if it is gone
     */
    public char state(int tid) {
        return proc.state(tid);
    }
}

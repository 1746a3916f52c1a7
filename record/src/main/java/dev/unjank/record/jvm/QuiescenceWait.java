package dev.unjank.record.jvm;

import dev.unjank.record.linux.Proc;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * Waits until a virtual machine has done what it takes to be looked into: it changes classes for Flight Recorder, and compiles code
 * anew. What that takes from the program's own threads is the recorder's fault, and is to be over before the recording begins.
 */
final class QuiescenceWait {
    /** The beginnings of what the kernel calls the threads that work for it. */
    private static final List<String> WORKERS =
            List.of("C1 Compiler", "C2 Compiler", "Attach Listener", "JFR ", "unjank-");

    private static final Duration STEP = Duration.ofMillis(50);

    /** A program that has just been started compiles for long, whoever looks on. */
    private static final Duration MOST = Duration.ofSeconds(1);

    /** It has settled when these threads together take no more of a CPU. */
    private static final double QUIET = 0.2;

    private final Proc proc;
    private final int pid;

    /**
     * Of a process.
     *
     * @param proc where to look
     * @param pid its number
     */
    QuiescenceWait(Proc proc, int pid) {
        this.proc = proc;
        this.pid = pid;
    }

    /** Waits for it, but not for long. */
    void await() {
        long start = System.nanoTime();
        long ran = ranNs();
        long now = start;
        while (now - start < MOST.toNanos()) {
            LockSupport.parkNanos(this, STEP.toNanos());
            long after = ranNs();
            long then = System.nanoTime();
            if (after - ran <= QUIET * (then - now)) {
                return;
            }
            ran = after;
            now = then;
        }
    }

    /** How long these threads have run until now, all together. */
    private long ranNs() {
        Set<Integer> workers = proc.tasks(pid).stream()
                .filter(task -> WORKERS.stream().anyMatch(task.comm()::startsWith))
                .map(Proc.Task::tid)
                .collect(Collectors.toSet());
        return proc.cpuTimes(pid).entrySet().stream()
                .filter(thread -> workers.contains(thread.getKey()))
                .map(Map.Entry::getValue)
                .mapToLong(Proc.CpuTimes::ranNs)
                .sum();
    }
}

package dev.unjank.record.jvm;

import dev.unjank.record.linux.Proc;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Waits until a JVM has finished the work that attaching causes: it transforms classes for Flight Recorder and compiles
 * code again. This load must not be part of the recording.
 */
final class QuiescenceWait {
    /** Prefixes of the names of the JVM's and the agent's worker threads. */
    private static final List<String> WORKERS =
            List.of("C1 Compiler", "C2 Compiler", "Attach Listener", "JFR ", "unjank-");

    private static final Duration STEP = Duration.ofMillis(50);

    /** The maximum wait. A program that has just been started compiles for longer anyway. */
    private static final Duration MOST = Duration.ofSeconds(1);

    /** The CPU usage of these threads below which the JVM is quiescent. */
    private static final double QUIET = 0.2;

    private final Proc proc;
    private final int pid;
    private final BooleanSupplier isEnding;

    /** Creates a wait for a process, which ends when the recording is to end. */
    QuiescenceWait(Proc proc, int pid, BooleanSupplier isEnding) {
        this.proc = proc;
        this.pid = pid;
        this.isEnding = isEnding;
    }

    /** Waits with a timeout. */
    void await() {
        long start = System.nanoTime();
        long ran = ranNs();
        long now = start;
        while (now - start < MOST.toNanos() && !isEnding.getAsBoolean()) {
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

    /** The total run time of these threads so far. */
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

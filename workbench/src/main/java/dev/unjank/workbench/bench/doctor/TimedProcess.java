package dev.unjank.workbench.bench.doctor;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One run of a command as a process, timed from start to end.
 *
 * @param cpuSeconds the CPU time of the process and of its child processes that it waited for; 0 if unknown
 * @param peakBytes the sum of the peak resident memory of the process and its child processes, including mapped files;
 *     0 if unknown
 */
public record TimedProcess(double seconds, double cpuSeconds, long peakBytes) {
    /** The timeout of a run of the doctor or of a query. */
    private static final Duration MOST = Duration.ofMinutes(2);

    private static final int MILLIS_BETWEEN_LOOKS = 5;

    /** The number of memory samples between two searches for child processes, which scan all processes. */
    private static final int LOOKS_BETWEEN_SEARCHES = 20;

    private static final String PEAK = "VmHWM:";

    /** The statistics of this process; the user and system CPU time of its ended child processes follow the name. */
    private static final Path OWN = Path.of("/proc/self/stat");

    private static final int CHILDREN_USER = 13;
    private static final int CHILDREN_SYSTEM = 14;

    /** The kernel's unit of time in this file (USER_HZ), independent of its internal tick rate. */
    private static final double TICKS_PER_SECOND = 100;

    public static TimedProcess run(List<String> command, Duration most) throws IOException {
        double cpuBefore = cpuSecondsOfChildren();
        long start = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start();
        try {
            Map<Long, Long> peaks = new HashMap<>();
            for (int look = 0; !process.waitFor(MILLIS_BETWEEN_LOOKS, TimeUnit.MILLISECONDS); look++) {
                look(process.toHandle(), peaks);
                if (look % LOOKS_BETWEEN_SEARCHES == 0) {
                    process.descendants().forEach(started -> look(started, peaks));
                }
                if (System.nanoTime() - start > most.toNanos()) {
                    throw new IOException("no end after " + most.toSeconds() + " s: " + arguments(command));
                }
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            if (process.exitValue() != 0) {
                throw new IOException("ended with status " + process.exitValue() + ": " + arguments(command));
            }
            long peak = peaks.values().stream().mapToLong(Long::longValue).sum();
            return new TimedProcess(seconds, cpuSecondsOfChildren() - cpuBefore, peak);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }

    /** The last arguments of a command, without a long class path before them. */
    private static String arguments(List<String> command) {
        return String.join(" ", command.subList(Math.max(0, command.size() - 4), command.size()));
    }

    /** The median times and the maximum memory of several sequential runs. */
    static TimedProcess median(List<String> command, int runs) throws IOException {
        List<Double> seconds = new ArrayList<>();
        List<Double> cpuSeconds = new ArrayList<>();
        long peak = 0;
        for (int i = 0; i < runs; i++) {
            TimedProcess child = run(command, MOST);
            seconds.add(child.seconds);
            cpuSeconds.add(child.cpuSeconds);
            peak = Math.max(peak, child.peakBytes);
        }
        seconds.sort(null);
        cpuSeconds.sort(null);
        return new TimedProcess(seconds.get(runs / 2), cpuSeconds.get(runs / 2), peak);
    }

    /** The CPU time of all ended child processes; 0 if the system is not Linux. */
    private static double cpuSecondsOfChildren() throws IOException {
        if (!Files.exists(OWN)) {
            return 0;
        }
        String line = Files.readString(OWN);
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1); // the name may have blanks
        return (Long.parseLong(fields[CHILDREN_USER]) + Long.parseLong(fields[CHILDREN_SYSTEM])) / TICKS_PER_SECOND;
    }

    private static void look(ProcessHandle process, Map<Long, Long> peaks) {
        peaks.merge(process.pid(), peak(process.pid()), Math::max);
    }

    /** The peak resident memory so far; 0 once the process has ended, or if the system is not Linux. */
    private static long peak(long pid) {
        Path status = Path.of("/proc", String.valueOf(pid), "status");
        try {
            for (String line : Files.readAllLines(status)) {
                if (line.startsWith(PEAK)) {
                    return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
                }
            }
        } catch (IOException e) {
            return 0; // it has ended
        }
        return 0;
    }
}

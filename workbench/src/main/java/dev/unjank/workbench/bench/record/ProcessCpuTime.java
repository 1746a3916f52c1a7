package dev.unjank.workbench.bench.record;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The CPU time of this process without its JIT compiler threads: when a recording starts or ends, code is recompiled
 * for a few seconds, as after the program's start. Without {@code /proc} the compiler threads are included.
 */
final class ProcessCpuTime {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private static final Path THREADS = Path.of("/proc/self/task");

    private ProcessCpuTime() {}

    /** The CPU time so far, in nanoseconds. */
    static long nanos() throws IOException {
        return SYSTEM.getProcessCpuTime() - ofCompilers();
    }

    private static long ofCompilers() throws IOException {
        long sum = 0;
        if (Files.isDirectory(THREADS)) {
            try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
                for (Path thread : threads) {
                    sum += ofCompiler(thread);
                }
            }
        }
        return sum;
    }

    /**
     * The CPU time of a thread if it is a compiler thread. Compiler threads live as long as the process; others may end
     * meanwhile.
     */
    private static long ofCompiler(Path thread) {
        try {
            String name = Files.readString(thread.resolve("comm"));
            if (!name.startsWith("C1 Compiler") && !name.startsWith("C2 Compiler")) {
                return 0;
            }
            // running time in ns, time on the run queue, number of time slices
            return Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ", 2)[0]);
        } catch (IOException e) {
            return 0;
        }
    }
}

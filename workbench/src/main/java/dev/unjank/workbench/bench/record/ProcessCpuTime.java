package dev.unjank.workbench.bench.record;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The processor time of this process without that of its compilers: when a recording begins or ends, code is compiled anew for
 * some seconds, as after the program's start. Where there is no {@code /proc}, compilers count.
 */
final class ProcessCpuTime {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private static final Path THREADS = Path.of("/proc/self/task");

    private ProcessCpuTime() {}

    /** So much until now, in nanoseconds. */
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

    /** The compilers' threads stay as long as the process; others may end meanwhile. */
    private static long ofCompiler(Path thread) {
        try {
            String name = Files.readString(thread.resolve("comm"));
            if (!name.startsWith("C1 Compiler") && !name.startsWith("C2 Compiler")) {
                return 0;
            }
            // the time on a processor in nanoseconds, the time in the run queue, the number of slices
            return Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ", 2)[0]);
        } catch (IOException e) {
            return 0;
        }
    }
}

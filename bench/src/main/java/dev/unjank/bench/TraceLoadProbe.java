package dev.unjank.bench;

import dev.unjank.trace.Trace;
import dev.unjank.trace.UnusableTraceException;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * Loads a trace a number of times in a Java VM of its own, so that the heap and the flags are known, and prints what it finds:
 * a line {@code load NANOSECONDS BYTES} per load, and with {@code memory} as third argument the live heap that a loaded trace adds and
 * the peak of the memory outside the heap that is not the VM's own. {@link TraceLoadBenchmark} starts it.
 */
final class TraceLoadProbe {
    static final String MEMORY = "memory";

    /** "Other" is where native memory tracking counts direct buffers and arenas of the foreign memory API. */
    private static final Pattern OTHER = Pattern.compile(
            "Other \\(reserved=.*\\s+\\(malloc=(\\d+)KB tag=Other #\\d+\\) \\((?:at peak|peak=(\\d+)KB)");

    /** Keeps what is loaded alive. */
    @SuppressWarnings("unused")
    private static volatile @Nullable Trace loaded;

    private TraceLoadProbe() {}

    /**
     * Loads a trace.
     *
     * @param args the file, how often to load it, and optionally {@code memory}
     */
    public static void main(String[] args) throws IOException, UnusableTraceException, JMException {
        Path file = Path.of(args[0]);
        int loads = Integer.parseInt(args[1]);
        for (int i = 0; i < loads; i++) {
            long start = System.nanoTime();
            long bytes = TraceReader.read(file).sizeBytes();
            System.out.println("load " + (System.nanoTime() - start) + " " + bytes);
        }
        if (args.length > 2) {
            measureMemory(file);
        }
    }

    private static void measureMemory(Path file) throws IOException, UnusableTraceException, JMException {
        long before = liveHeap();
        loaded = TraceReader.read(file);
        System.out.println("heap " + (liveHeap() - before));
        System.out.println("native " + nativePeak());
    }

    private static long liveHeap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static long nativePeak() throws JMException {
        Object report = ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "vmNativeMemory",
                        new Object[] {new String[] {"summary"}},
                        new String[] {String[].class.getName()});
        Matcher other = OTHER.matcher(String.valueOf(report));
        if (!other.find()) {
            return 0;
        }
        String peak = other.group(2) == null ? other.group(1) : other.group(2);
        return Long.parseLong(peak) * 1024;
    }
}

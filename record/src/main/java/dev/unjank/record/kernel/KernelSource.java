package dev.unjank.record.kernel;

import dev.unjank.record.linux.Cpus;
import dev.unjank.record.linux.Libc;
import dev.unjank.record.linux.Proc;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.record.session.TraceSink;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Records the kernel's scheduler events: context switches with priorities, wake-ups, priority inheritance, starts, ends
 * and renames of threads, and optionally futex system calls.
 *
 * <p>It needs root, and a kernel with tracefs. For other processes it records only context switches, with the names of
 * the threads, to show which threads preempted the target. With {@code wholeSystem} it records all events of other
 * processes.
 *
 * <p>A daemon thread reads the kernel's buffers, so threads never wait for the recorder. The kernel overwrites and
 * counts events that are not read in time.
 */
public final class KernelSource extends TracingSource {
    static final String NAME = "kernel scheduling";

    /** The total size of the buffers, within the limits per CPU. */
    private static final long BUFFERS_BYTES = 256L << 20;

    private static final long MOST_PER_CPU = 8L << 20;
    private static final long LEAST_PER_CPU = 1L << 20;

    private final int target;
    private final boolean wholeSystem;
    private final boolean futex;
    private boolean otherNames = true;
    private BooleanSupplier isEnding = () -> false;
    private final Proc proc;
    private final @Nullable TraceFs given;

    /**
     * Creates the source.
     *
     * @param wholeSystem whether all events of other processes are recorded as well
     * @param futex whether futex system calls are recorded; there may be a great many
     */
    public KernelSource(int target, boolean wholeSystem, boolean futex) {
        this(target, wholeSystem, futex, Proc.SYSTEM, null);
    }

    /** Omits the names of other processes and their threads from the recording, for privacy. */
    public KernelSource withoutOtherNames() {
        otherNames = false;
        return this;
    }

    /** Cuts the start of the source short when the recording is to end. */
    public KernelSource endingWhen(BooleanSupplier condition) {
        isEnding = condition;
        return this;
    }

    /** Creates the source with a file system, for tests. */
    KernelSource(int target, boolean wholeSystem, boolean futex, Proc proc, @Nullable TraceFs given) {
        this.target = target;
        this.wholeSystem = wholeSystem;
        this.futex = futex;
        this.proc = proc;
        this.given = given;
    }

    @Override
    public SourceAvailability probe() {
        if (!Libc.isAvailable()) {
            boolean linux = System.getProperty("os.name").equals("Linux");
            return SourceAvailability.off(
                    NAME,
                    linux ? "native access is not enabled" : "available on Linux only",
                    linux ? "start java with --enable-native-access=ALL-UNNAMED" : null);
        }
        if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
            return SourceAvailability.off(NAME, "big-endian machines are not supported", null);
        }
        if (!proc.hasKernelsNumbers()) {
            return SourceAvailability.off(
                    NAME,
                    "the thread ids in this container differ from the kernel's",
                    "run the recorder on the host, with the host's pid of the process");
        }
        try {
            return probe(fileSystem());
        } catch (IOException e) {
            return SourceAvailability.off(NAME, String.valueOf(e.getMessage()), remedy(Proc.isRoot()));
        }
    }

    /** The remedy for missing permission to trace. */
    static String remedy(boolean isRoot) {
        return isRoot
                ? "run it on the host, or in a container with --privileged --pid=host"
                : "run it as root (with sudo); a container also needs --privileged --pid=host";
    }

    private TraceFs fileSystem() throws IOException {
        return given == null ? TraceFs.find() : given;
    }

    private SourceAvailability probe(TraceFs fs) throws IOException {
        try {
            if (!fs.isWritable()) {
                return SourceAvailability.off(NAME, "no permission to trace", remedy(Proc.isRoot()));
            }
            return SourceAvailability.on(
                    NAME,
                    detail(new KernelEventDecoder(fs, wanted(), new TracedThreads(target, wholeSystem)).missing()));
        } finally {
            fs.release();
        }
    }

    private String detail(List<String> missing) {
        String what = (wholeSystem ? "the whole system" : "process " + target + " and the threads that preempted it")
                + (futex ? ", with futex calls" : "");
        return missing.isEmpty() ? what : what + "; events missing in this kernel: " + String.join(", ", missing);
    }

    private List<String> wanted() {
        if (!futex) {
            return KernelEventDecoder.SCHEDULING;
        }
        return Stream.concat(KernelEventDecoder.SCHEDULING.stream(), KernelEventDecoder.FUTEX.stream())
                .toList();
    }

    @Override
    TracingSession open(TraceSink sink) throws IOException {
        TraceFs fs = fileSystem();
        long perCpu = Math.clamp(BUFFERS_BYTES / Cpus.count(), LEAST_PER_CPU, MOST_PER_CPU);
        return TracingSession.open(NAME, fs, perCpu, sink, () -> {}, instance -> scheduling(fs, instance, sink));
    }

    private Scheduling scheduling(TraceFs fs, TraceInstance instance, TraceSink sink) throws IOException {
        TracedThreads traced = new TracedThreads(target, wholeSystem);
        if (!otherNames) {
            traced.hideOtherNames();
        }
        if (!wholeSystem) {
            sink.onlyWakeupsOfTarget();
        }
        KernelEventDecoder decoder = new KernelEventDecoder(fs, wanted(), traced);
        for (String event : wanted()) {
            if (fs.has(event)) {
                instance.enable(event);
            }
        }
        List<String> filtered = KernelEventDecoder.FUTEX.stream()
                .filter(wanted()::contains)
                .filter(fs::has)
                .toList();
        return new Scheduling(
                new CpuBufferReader(instance, fs.pageLayout(), decoder, sink),
                new ThreadNames(proc, traced, sink),
                new ThreadFilter(instance, traced, traced.isEverything() ? List.of() : filtered));
    }

    /** The session's handler, which names the threads of scheduler events. */
    private final class Scheduling implements TracingSession.Handler {
        private final CpuBufferReader pages;
        private final ThreadNames names;
        private final ThreadFilter filter;

        Scheduling(CpuBufferReader pages, ThreadNames names, ThreadFilter filter) {
            this.pages = pages;
            this.names = names;
            this.filter = filter;
        }

        @Override
        public CpuBufferReader pages() {
            return pages;
        }

        @Override
        public void begin() throws IOException {
            Stream<Integer> others = wholeSystem ? proc.processes().stream().filter(pid -> pid != target) : Stream.of();
            names.start(Stream.concat(Stream.of(target), others).toList(), isEnding);
            filter.update();
            pages.begin();
        }

        @Override
        public void read(long until) throws IOException {
            if (until == Long.MAX_VALUE) {
                names.updateAtEnd();
            } else {
                names.update();
            }
            filter.update();
        }

        @Override
        public void ended() throws IOException {
            pages.writeStats();
        }
    }
}

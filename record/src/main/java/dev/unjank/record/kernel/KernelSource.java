package dev.unjank.record.kernel;

import dev.unjank.record.linux.Cpus;
import dev.unjank.record.linux.Libc;
import dev.unjank.record.linux.Proc;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.record.session.TraceSink;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Records what the kernel's scheduler does: who ran when on which CPU and at which priority, who woke whom, whose priority was lent,
 * which threads began, ended and were renamed; on demand the futex system calls below most locks.
 *
 * <p>It needs root, and a kernel that has tracing. Of the target everything is recorded. Of other processes the switches are, with
 * their threads' names, because the question is who ran in the target's place; what woke them is recorded if the whole system is
 * asked for.
 *
 * <p>A thread of its own reads the kernel's buffers, so nobody waits for the recorder. What it does not read in time the kernel
 * overwrites and counts.
 */
public final class KernelSource extends TracingSource {
    static final String NAME = "kernel scheduling";

    private static final String IN_CONTAINER = "in a container with --privileged and the host's process numbers";

    /** All buffers together, as far as each is of a sensible size. */
    private static final long BUFFERS_BYTES = 256L << 20;

    private static final long MOST_PER_CPU = 8L << 20;
    private static final long LEAST_PER_CPU = 1L << 20;

    private final int target;
    private final boolean wholeSystem;
    private final boolean futex;
    private boolean otherNames = true;
    private final Proc proc;
    private final @Nullable TraceFs given;

    /**
     * Will record.
     *
     * @param target the process that the recording is about
     * @param wholeSystem whether everything is recorded of the other processes too
     * @param futex whether the futex system calls of what is recorded are, which may be a great many
     */
    public KernelSource(int target, boolean wholeSystem, boolean futex) {
        this(target, wholeSystem, futex, Proc.SYSTEM, null);
    }

    /**
     * Leaves the names of other processes and of their threads out of the recording: who runs on a machine is not everybody's
     * business. They are told apart by their numbers.
     *
     * @return this
     */
    public KernelSource withoutOtherNames() {
        otherNames = false;
        return this;
    }

    /** With a file system that is found already, for tests. */
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
                    linux ? "the C library may not be called" : "only Linux has it",
                    linux ? "give java the option --enable-native-access=ALL-UNNAMED" : null);
        }
        if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
            return SourceAvailability.off(NAME, "this machine's byte order is not known to the recorder", null);
        }
        if (!proc.hasKernelsNumbers()) {
            return SourceAvailability.off(
                    NAME,
                    "the kernel's numbers of threads are not those of this container",
                    "run the recorder on the host, with the number that the process has there");
        }
        try {
            return probe(fileSystem());
        } catch (IOException e) {
            return SourceAvailability.off(NAME, String.valueOf(e.getMessage()), remedy(Proc.isRoot()));
        }
    }

    /** What to do where the kernel does not let this process trace. */
    static String remedy(boolean isRoot) {
        return isRoot ? "run it on the host, or " + IN_CONTAINER : "run it as root (with sudo), " + IN_CONTAINER;
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
        String what = (wholeSystem ? "of the whole system" : "of process " + target + ", and who ran in its place")
                + (futex ? ", with futex calls" : "");
        return missing.isEmpty() ? what : what + "; not in this kernel: " + String.join(", ", missing);
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
        TracedThreads watched = new TracedThreads(target, wholeSystem);
        if (!otherNames) {
            watched.hideOtherNames();
        }
        KernelEventDecoder decoder = new KernelEventDecoder(fs, wanted(), watched);
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
                new ThreadNames(proc, watched, sink),
                new ThreadFilter(instance, watched, watched.isEverything() ? List.of() : filtered));
    }

    /** The scheduler's events, and the names of those in them. */
    private final class Scheduling implements TracingSession.Work {
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
            if (wholeSystem) {
                names.all();
            } else {
                names.ofProcess(target);
            }
            filter.update();
            pages.begin();
        }

        @Override
        public void read(long until) throws IOException {
            names.update();
            filter.update();
        }

        @Override
        public void ended() throws IOException {
            pages.writeStats();
        }
    }
}

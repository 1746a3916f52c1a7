package dev.unjank.record.kernel;

import dev.unjank.record.linux.Libc;
import dev.unjank.record.linux.Proc;
import dev.unjank.record.session.Availability;
import dev.unjank.record.session.Source;
import dev.unjank.record.session.TraceSink;
import dev.unjank.record.thread.Rounds;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
 * <p>A thread of its own reads the kernel's buffers some 25 times a second, more often when they fill quickly, so nobody waits for
 * the recorder. What it does not read in time the kernel overwrites and counts.
 */
public final class KernelSource implements Source {
    static final String NAME = "kernel scheduling";

    static final String AS_ROOT =
            "run it as root (with sudo), in a container with --privileged and the host's process numbers";

    private static final long PAUSE_NANOS = 40_000_000;
    private static final long SHORT_PAUSE_NANOS = 4_000_000;
    private static final long COUNT_EVERY_NANOS = 500_000_000;

    /** All buffers together, as far as each is of a sensible size. */
    private static final long BUFFERS_BYTES = 256L << 20;

    private static final long MOST_PER_CPU = 8L << 20;
    private static final long LEAST_PER_CPU = 1L << 20;

    private final int target;
    private final boolean wholeSystem;
    private final boolean futex;
    private final Proc proc;
    private final @Nullable TraceFs given;
    private volatile @Nullable Session session;

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

    /** With a file system that is found already, for tests. */
    KernelSource(int target, boolean wholeSystem, boolean futex, Proc proc, @Nullable TraceFs given) {
        this.target = target;
        this.wholeSystem = wholeSystem;
        this.futex = futex;
        this.proc = proc;
        this.given = given;
    }

    @Override
    public Availability probe() {
        if (!Libc.isAvailable()) {
            boolean linux = System.getProperty("os.name").equals("Linux");
            return Availability.off(
                    NAME,
                    linux ? "the C library may not be called" : "only Linux has it",
                    linux ? "give java the option --enable-native-access=ALL-UNNAMED" : null);
        }
        if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
            return Availability.off(NAME, "this machine's byte order is not known to the recorder", null);
        }
        if (!proc.hasKernelsNumbers()) {
            return Availability.off(
                    NAME,
                    "the kernel's numbers of threads are not those of this container",
                    "run the recorder on the host, with the number that the process has there");
        }
        try {
            return probe(fileSystem());
        } catch (IOException e) {
            return Availability.off(NAME, String.valueOf(e.getMessage()), AS_ROOT);
        }
    }

    private TraceFs fileSystem() throws IOException {
        return given == null ? TraceFs.find() : given;
    }

    private Availability probe(TraceFs fs) throws IOException {
        try {
            if (!fs.isWritable()) {
                return Availability.off(NAME, "no permission to trace", AS_ROOT);
            }
            return Availability.on(
                    NAME, detail(new KernelEvents(fs, wanted(), new Watched(target, wholeSystem)).missing()));
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
            return KernelEvents.SCHEDULING;
        }
        return Stream.concat(KernelEvents.SCHEDULING.stream(), KernelEvents.FUTEX.stream())
                .toList();
    }

    @Override
    public void start(TraceSink sink) throws IOException {
        TraceFs fs = fileSystem();
        try {
            session = begin(fs, sink);
        } catch (IOException | RuntimeException e) {
            fs.release();
            throw e;
        }
    }

    private Session begin(TraceFs fs, TraceSink sink) throws IOException {
        fs.removeStale();
        int cpus = Runtime.getRuntime().availableProcessors();
        long perCpu = Math.clamp(BUFFERS_BYTES / cpus, LEAST_PER_CPU, MOST_PER_CPU);
        TraceInstance instance = TraceInstance.create(fs, perCpu);
        try {
            Watched watched = new Watched(target, wholeSystem);
            KernelEvents decoder = new KernelEvents(fs, wanted(), watched);
            for (String event : wanted()) {
                if (fs.has(event)) {
                    instance.enable(event);
                }
            }
            CpuPages pages = new CpuPages(instance, fs.pageLayout(), decoder, sink);
            ThreadNames names = new ThreadNames(proc, watched, sink);
            if (wholeSystem) {
                names.all();
            } else {
                names.ofProcess(target);
            }
            List<String> filtered = KernelEvents.FUTEX.stream()
                    .filter(wanted()::contains)
                    .filter(fs::has)
                    .toList();
            ThreadFilter filter = new ThreadFilter(instance, watched, watched.isEverything() ? List.of() : filtered);
            filter.update();
            Session begun = new Session(fs, instance, pages, names, filter, sink);
            pages.writeStats(false);
            instance.turnOn();
            begun.start();
            return begun;
        } catch (IOException | RuntimeException e) {
            instance.close();
            throw e;
        }
    }

    @Override
    public void stop() throws IOException {
        Session ending = session;
        if (ending != null) {
            ending.stop();
        }
    }

    @Override
    public long events() {
        Session current = session;
        return current == null ? 0 : current.pages.events();
    }

    @Override
    public long settledUntil() {
        Session current = session;
        return current == null ? Long.MIN_VALUE : current.settledUntil;
    }

    @Override
    public long lost() {
        Session current = session;
        return current == null ? 0 : current.pages.lost();
    }

    /** What runs between start and stop. */
    private static final class Session {
        final TraceFs fs;
        final TraceInstance instance;
        final CpuPages pages;
        final ThreadNames names;
        final ThreadFilter filter;
        final TraceSink sink;
        private @Nullable Rounds rounds;
        private long counted = System.nanoTime();
        private volatile long settledUntil = System.nanoTime();

        Session(
                TraceFs fs,
                TraceInstance instance,
                CpuPages pages,
                ThreadNames names,
                ThreadFilter filter,
                TraceSink sink) {
            this.fs = fs;
            this.instance = instance;
            this.pages = pages;
            this.names = names;
            this.filter = filter;
            this.sink = sink;
        }

        void start() {
            rounds = Rounds.start("kernel-events", this::round);
        }

        private long round() throws IOException {
            try {
                long begun = System.nanoTime();
                boolean muchToDo = pages.drain();
                names.update();
                filter.update();
                if (!muchToDo) {
                    settledUntil = begun;
                }
                if (System.nanoTime() - counted > COUNT_EVERY_NANOS) {
                    counted = System.nanoTime();
                    pages.count();
                }
                return muchToDo ? SHORT_PAUSE_NANOS : PAUSE_NANOS;
            } catch (IOException e) {
                settledUntil = Long.MAX_VALUE;
                String reason = String.valueOf(e.getMessage());
                sink.write(to ->
                        to.note(System.nanoTime(), "source: " + NAME, Map.of("state", "ended", "detail", reason)));
                throw e;
            }
        }

        void stop() throws IOException {
            if (rounds != null) {
                rounds.stop();
            }
            try (instance) {
                instance.turnOff();
                while (pages.drain()) {
                    names.update();
                }
                names.update();
                pages.count();
                pages.writeStats(true);
            } catch (IOException e) {
                throw new IOException(String.format(Locale.ROOT, "%s: %s", NAME, e.getMessage()), e);
            } finally {
                fs.release();
            }
        }
    }
}

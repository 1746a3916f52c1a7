package dev.unjank.record.kernel;

import dev.unjank.record.linux.Libc;
import dev.unjank.record.linux.ProbeNotes;
import dev.unjank.record.linux.Proc;
import dev.unjank.record.session.Availability;
import dev.unjank.record.session.Source;
import dev.unjank.record.session.TraceSink;
import dev.unjank.record.thread.Rounds;
import dev.unjank.trace.read.jfr.JfrChunks;
import dev.unjank.trace.write.FtraceCpu;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Records which threads of a Java virtual machine are inside JNI critical sections, during which most collectors cannot begin. The
 * machine has probes where threads enter and leave them ({@link ProbeNotes}); the kernel notes who comes by ({@link Uprobes}), with
 * nothing changed in the machine and no option given to it.
 *
 * <p>It costs each thread that enters and leaves a section some microseconds, also those of other processes with the same library. Of
 * the sections those are written that take {@link #LEAST_NANOS} or more.
 */
public final class CriticalSource implements Source {
    private static final String NAME = "JNI critical sections";
    private static final String CATEGORY = "jni";
    private static final String PROVIDER = "hotspot_jni";

    /** Shorter ones keep nobody waiting. */
    static final long LEAST_NANOS = 100_000;

    private static final long PAUSE_NANOS = 40_000_000;
    private static final long BUFFER_BYTES = 1 << 20;

    /** Where a thread has entered a section. */
    private static final Set<String> ENTERED = Set.of("GetPrimitiveArrayCritical__return", "GetStringCritical__return");

    /** Where a thread is about to leave one. */
    private static final Set<String> LEAVING =
            Set.of("ReleasePrimitiveArrayCritical__entry", "ReleaseStringCritical__entry");

    private final int target;
    private final Proc proc;
    private volatile @Nullable Session session;

    /**
     * Will record.
     *
     * @param target the process
     */
    public CriticalSource(int target) {
        this.target = target;
        proc = Proc.SYSTEM;
    }

    @Override
    public Availability probe() {
        if (!Libc.isAvailable() || ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN || !proc.hasKernelsNumbers()) {
            return Availability.off(NAME, "the kernel cannot be asked", "see the line of " + KernelSource.NAME);
        }
        try {
            if (probes(library()).size() < ENTERED.size() + LEAVING.size()) {
                return Availability.off(NAME, "this virtual machine was built without probes", null);
            }
            TraceFs fs = TraceFs.find();
            try {
                return Uprobes.areAvailable(fs)
                        ? Availability.on(NAME, "those of 0.1 ms and more")
                        : Availability.off(NAME, "this kernel has no uprobes, or no permission", KernelSource.AS_ROOT);
            } finally {
                fs.release();
            }
        } catch (IOException e) {
            return Availability.off(NAME, String.valueOf(e.getMessage()), null);
        }
    }

    /** The target's virtual machine, as this process sees the file. */
    private Path library() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + target + "/maps"), StandardCharsets.ISO_8859_1)) {
            String line = lines.filter(each -> each.endsWith("/libjvm.so"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("process " + target + " is no Java virtual machine"));
            return Path.of("/proc/" + target + "/root" + line.substring(line.indexOf('/')))
                    .toRealPath();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static List<ProbeNotes.Probe> probes(Path library) throws IOException {
        return ProbeNotes.read(library).stream()
                .filter(probe -> probe.provider().equals(PROVIDER))
                .filter(probe -> ENTERED.contains(probe.name()) || LEAVING.contains(probe.name()))
                .toList();
    }

    @Override
    public void start(TraceSink sink) throws IOException {
        TraceFs fs = TraceFs.find();
        try {
            fs.removeStale();
            session = begin(fs, sink);
        } catch (IOException | RuntimeException e) {
            fs.release();
            throw e;
        }
    }

    private Session begin(TraceFs fs, TraceSink sink) throws IOException {
        Uprobes uprobes = new Uprobes(fs);
        try {
            TraceInstance instance = TraceInstance.create(fs, BUFFER_BYTES);
            try {
                instance.follow(proc.tasks(target).stream().map(Proc.Task::tid).toList());
                Sections sections = new Sections(sink, target);
                Path library = library();
                for (ProbeNotes.Probe probe : probes(library)) {
                    String event = uprobes.add(probe.name(), library, probe.fileOffset());
                    sections.add(fs.format(event), ENTERED.contains(probe.name()));
                    instance.enable(event);
                }
                CpuPages pages = new CpuPages(instance, fs.pageLayout(), sections, sink);
                instance.turnOn();
                return new Session(fs, uprobes, instance, pages, sections, sink);
            } catch (IOException | RuntimeException e) {
                instance.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            uprobes.close();
            throw e;
        }
    }

    @Override
    public void stop() throws IOException {
        if (session != null) {
            session.stop();
        }
    }

    @Override
    public long events() {
        return session == null ? 0 : session.sections.count;
    }

    @Override
    public long settledUntil() {
        Session current = session;
        return current == null ? Long.MIN_VALUE : current.settledUntil;
    }

    @Override
    public long lost() {
        return session == null ? 0 : session.pages.lost();
    }

    /** Turns the kernel's events into sections. */
    private static final class Sections implements PageEvents {
        private final Map<Integer, Boolean> kinds = new HashMap<>();
        private final SectionPairs pairs;
        private final TraceSink sink;
        private final int pid;
        private EventFormat.@Nullable Field type;
        private EventFormat.@Nullable Field tid;
        private volatile long count;

        Sections(TraceSink sink, int pid) {
            this.sink = sink;
            this.pid = pid;
            pairs = new SectionPairs(this::section, LEAST_NANOS);
        }

        void add(EventFormat format, boolean enters) throws IOException {
            kinds.put(format.id(), enters);
            type = format.field("common_type");
            tid = format.field("common_pid");
        }

        @Override
        public boolean take(RingPage from, FtraceCpu to, long bootTime) {
            if (type == null || tid == null) {
                return false;
            }
            Boolean enters = kinds.get((int) from.number(type));
            if (enters != null) {
                pairs.step((int) from.number(tid), from.time(), enters);
            }
            return enters != null;
        }

        @Override
        public void missed(FtraceCpu to) {
            pairs.forget();
        }

        @SuppressWarnings("NonAtomicVolatileUpdate") // written by one thread
        private void section(int thread, long from, long to) {
            count++;
            sink.slice(from, to, pid, thread, CATEGORY, JfrChunks.CRITICAL_SECTION);
        }

        void tellOpen() {
            pairs.open()
                    .forEach((thread, since) -> sink.write(to -> to.events()
                            .begin(since, to.track(since, pid, thread), CATEGORY, JfrChunks.CRITICAL_SECTION)
                            .write()));
        }
    }

    /** What runs between start and stop. */
    private static final class Session {
        private final TraceFs fs;
        private final Uprobes uprobes;
        private final TraceInstance instance;
        final CpuPages pages;
        final Sections sections;
        private final TraceSink sink;
        private final Rounds rounds;
        private volatile long settledUntil = System.nanoTime();
        private long told;

        Session(
                TraceFs fs,
                Uprobes uprobes,
                TraceInstance instance,
                CpuPages pages,
                Sections sections,
                TraceSink sink) {
            this.fs = fs;
            this.uprobes = uprobes;
            this.instance = instance;
            this.pages = pages;
            this.sections = sections;
            this.sink = sink;
            rounds = Rounds.start("critical-sections", this::round);
        }

        /** What happened before a round began is in the buffers that it reads. */
        private long round() throws IOException {
            long before = System.nanoTime();
            while (pages.drain()) {
                before = System.nanoTime();
            }
            sections.pairs.settle(before);
            settledUntil = before;
            tellLost();
            return PAUSE_NANOS;
        }

        private void tellLost() throws IOException {
            pages.count();
            if (pages.lost() > told) {
                sink.lost(NAME, pages.lost() - told);
                told = pages.lost();
            }
        }

        void stop() throws IOException {
            rounds.stop();
            try (uprobes;
                    instance) {
                instance.turnOff();
                while (pages.drain()) {
                    sections.pairs.settle(Long.MIN_VALUE);
                }
                sections.pairs.settle(Long.MAX_VALUE);
                sections.tellOpen();
                tellLost();
            } finally {
                fs.release();
            }
        }
    }
}

package dev.unjank.record.kernel;

import dev.unjank.record.linux.JvmLibrary;
import dev.unjank.record.linux.Libc;
import dev.unjank.record.linux.Proc;
import dev.unjank.record.linux.UsdtProbes;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.record.session.TraceSink;
import dev.unjank.trace.read.jfr.JfrChunks;
import dev.unjank.trace.write.FtraceCpuWriter;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Records the JNI critical sections of a JVM, during which most collectors cannot start. HotSpot has USDT probes where
 * threads enter and leave them ({@link UsdtProbes}), on which the kernel sets {@link Uprobes}; the JVM does not need
 * any option or preparation.
 *
 * <p>Each section costs its thread a few microseconds, even in other processes that use the same library. Sections of
 * at least {@link #LEAST_NANOS} are recorded.
 */
public final class JniCriticalSource extends TracingSource {
    private static final String NAME = "JNI critical sections";
    private static final String CATEGORY = "jni";
    private static final String PROVIDER = "hotspot_jni";

    /** The minimum duration. Shorter sections do not delay other threads noticeably. */
    static final long LEAST_NANOS = 100_000;

    private static final long BUFFER_BYTES = 1 << 20;

    /**
     * The maximum number of probe locations. The compiler may duplicate a probe; the library of a hostile target may
     * have any number.
     */
    private static final int MOST_PROBES = 64;

    /** Probes after the entry of a section. */
    private static final Set<String> ENTERED = Set.of("GetPrimitiveArrayCritical__return", "GetStringCritical__return");

    /** Probes before the exit of a section. */
    private static final Set<String> LEAVING =
            Set.of("ReleasePrimitiveArrayCritical__entry", "ReleaseStringCritical__entry");

    private final int target;
    private final BooleanSupplier isEnding;
    private final Proc proc;

    public JniCriticalSource(int target) {
        this(target, () -> false);
    }

    /** Creates the source; {@code isEnding} cuts its start short. */
    public JniCriticalSource(int target, BooleanSupplier isEnding) {
        this.target = target;
        this.isEnding = isEnding;
        proc = Proc.SYSTEM;
    }

    @Override
    public SourceAvailability probe() {
        if (!Libc.isAvailable() || ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN || !proc.hasKernelsNumbers()) {
            return SourceAvailability.off(
                    NAME, "kernel tracing is not available", "see the line \"" + KernelSource.NAME + "\"");
        }
        try (JvmLibrary library = JvmLibrary.of(target, isEnding)) {
            if (probes(library).size() < ENTERED.size() + LEAVING.size()) {
                return SourceAvailability.off(NAME, "this JVM was built without USDT probes (--enable-dtrace)", null);
            }
            TraceFs fs = TraceFs.find();
            try {
                return Uprobes.areAvailable(fs)
                        ? SourceAvailability.on(NAME, "sections of at least 0.1 ms")
                        : SourceAvailability.off(
                                NAME,
                                "this kernel does not support uprobes, or permission is missing",
                                KernelSource.remedy(Proc.isRoot()));
            } finally {
                fs.release();
            }
        } catch (IOException e) {
            return SourceAvailability.off(NAME, String.valueOf(e.getMessage()), null);
        }
    }

    private static List<UsdtProbes.Probe> probes(JvmLibrary library) throws IOException {
        List<UsdtProbes.Probe> probes = library.probes().stream()
                .filter(probe -> probe.provider().equals(PROVIDER))
                .filter(probe -> ENTERED.contains(probe.name()) || LEAVING.contains(probe.name()))
                .limit(MOST_PROBES + 1)
                .toList();
        if (probes.size() > MOST_PROBES) {
            throw new IOException("libjvm.so has more than " + MOST_PROBES + " probes of JNI critical sections");
        }
        return probes;
    }

    @Override
    TracingSession open(TraceSink sink) throws IOException {
        TraceFs fs = TraceFs.find();
        Uprobes uprobes = new Uprobes(fs);
        return TracingSession.open(
                NAME, fs, BUFFER_BYTES, sink, uprobes::close, instance -> sections(fs, instance, uprobes, sink));
    }

    private Sections sections(TraceFs fs, TraceInstance instance, Uprobes uprobes, TraceSink sink) throws IOException {
        instance.follow(proc.tids(target));
        SectionEvents events = new SectionEvents(sink, target);
        // Open until all probes are added: the kernel resolves the name each time, and the target may map another file
        // meanwhile.
        try (JvmLibrary library = JvmLibrary.of(target, isEnding)) {
            for (UsdtProbes.Probe probe : probes(library)) {
                String event = uprobes.add(probe.name(), library.file(), probe.fileOffset());
                events.add(fs.format(event), ENTERED.contains(probe.name()));
                instance.enable(event);
            }
        }
        return new Sections(new CpuBufferReader(instance, fs.pageLayout(), events, sink), events, sink);
    }

    /** Converts the probes' events into sections. */
    private static final class SectionEvents implements PageDecoder {
        private final Map<Integer, Boolean> kinds = new HashMap<>();
        private final SectionMatcher pairs;
        private final TraceSink sink;
        private final int pid;
        private EventFormat.@Nullable Field type;
        private EventFormat.@Nullable Field tid;
        private volatile long count;

        SectionEvents(TraceSink sink, int pid) {
            this.sink = sink;
            this.pid = pid;
            pairs = new SectionMatcher(this::section, LEAST_NANOS);
        }

        void add(EventFormat format, boolean enters) throws IOException {
            kinds.put(format.id(), enters);
            type = format.field("common_type");
            tid = format.field("common_pid");
        }

        @Override
        public boolean take(RingBufferPage from, FtraceCpuWriter to, long bootTime) {
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
        public void missed(FtraceCpuWriter to) {
            pairs.forget();
        }

        @SuppressWarnings("NonAtomicVolatileUpdate") // written by one thread
        private void section(int thread, long from, long to) {
            long since = sink.interval().nearest(from);
            if (to - since >= LEAST_NANOS) {
                count++;
                sink.slice(since, to, pid, thread, CATEGORY, JfrChunks.CRITICAL_SECTION);
            }
        }

        void writeOpen() {
            pairs.open()
                    .forEach((thread, since) -> sink.write(to -> to.events()
                            .begin(since, to.track(since, pid, thread), CATEGORY, JfrChunks.CRITICAL_SECTION)
                            .write()));
        }
    }

    /** The session's handler, which writes sections and counts lost events. */
    private static final class Sections implements TracingSession.Handler {
        private final CpuBufferReader pages;
        private final SectionEvents events;
        private final TraceSink sink;
        private long reported;

        Sections(CpuBufferReader pages, SectionEvents events, TraceSink sink) {
            this.pages = pages;
            this.events = events;
            this.sink = sink;
        }

        @Override
        public CpuBufferReader pages() {
            return pages;
        }

        @Override
        public void read(long until) {
            events.pairs.settle(until);
        }

        @Override
        public void counted() {
            if (pages.lost() > reported) {
                sink.lost(NAME, pages.lost() - reported);
                reported = pages.lost();
            }
        }

        @Override
        public void ended() {
            events.writeOpen();
        }

        @Override
        public long events() {
            return events.count;
        }
    }
}

package dev.unjank.trace.write;

import dev.unjank.trace.model.Processes;
import dev.unjank.trace.proto.FtraceFields.FtraceClock;
import dev.unjank.trace.proto.FtraceFields.FtraceEventBundle;
import dev.unjank.trace.proto.PacketFields.InternedData;
import dev.unjank.trace.proto.PacketFields.InternedString;
import dev.unjank.trace.proto.PacketFields.Trace;
import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.ProtoWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.Deflater;

/**
 * Writes a trace in Perfetto's format to a stream, in bounded memory: what is kept at any time is at most a bundle of events per
 * CPU and one batch of packets to compress. The same calls make the same bytes.
 *
 * <p>A trace that says little more than who ran when:
 *
 * {@snippet :
 * try (TraceWriter writer = new TraceWriter(out, WireFormat.COMPACT)) {
 *     writer.clockSnapshot(boottimeNs, monotonicNs, realtimeNs);
 *     writer.processTree(ts, List.of(new TraceWriter.ProcessEntry(pid, 1, "com.example")), List.of());
 *     FtraceCpu cpu = writer.cpu(0);
 *     cpu.schedSwitch(ts, Task.idle(0), PrevState.RUNNABLE, main);
 *     cpu.print(ts + 1_000, main.tid(), Atrace.begin(pid, "work"));
 * }
 * }
 */
public final class TraceWriter implements AutoCloseable {
    /** Packets are compressed once there are about this many bytes of them. */
    private static final int COMPRESSED_BATCH_BYTES = 128 * 1024;

    /** Each source of data has a sequence of its own, as Perfetto's producers do. */
    private static final int SERVICE_SEQUENCE = 1;

    private static final int FTRACE_SEQUENCE = 2;
    private static final int PROCESS_SEQUENCE = 3;
    static final int FRAME_SEQUENCE = 4;

    /** The first that is free: each {@link #trackEvents} takes the next. */
    private int nextSequence = 16;

    private final OutputStream out;
    private final WireFormat format;
    private final Map<Integer, FtraceCpuWriter> cpus = new TreeMap<>();
    private final ProtoWriter packets = new ProtoWriter();

    private final Map<String, Integer> kernelSymbolIds = new HashMap<>();
    private final Set<String> writtenKernelSymbols = new HashSet<>();
    private boolean firstBundle = true;
    private long frameCookies;
    private long globalFtraceNs = -1;
    private long globalBoottimeNs = -1;

    /**
     * Starts a trace.
     *
     * @param out where it goes; closed with this writer. Packets are written whole, so a buffer helps little
     * @param format the choices of encoding
     */
    public TraceWriter(OutputStream out, WireFormat format) {
        this.out = out;
        this.format = format;
    }

    /**
     * One process of a {@link #processTree}.
     *
     * @param pid its process id
     * @param parentPid the pid of the process that made it
     * @param name its command line's first word: on Android the application's package
     * @param uid the number of the user that it runs as, {@link Processes#NO_UID} if not known
     */
    public record ProcessEntry(int pid, int parentPid, String name, int uid) {
        /**
         * A process of which it is not known as which user it runs.
         *
         * @param pid its process id
         * @param parentPid that of its parent
         * @param name its name
         */
        public ProcessEntry(int pid, int parentPid, String name) {
            this(pid, parentPid, name, Processes.NO_UID);
        }
    }

    /**
     * One thread of a {@link #processTree} other than a process's main thread.
     *
     * @param tid its thread id
     * @param pid its process
     * @param name its short name
     */
    public record ThreadEntry(int tid, int pid, String name) {}

    /**
     * What the clocks showed at one moment. The boot clock is the trace's own.
     *
     * @param boottimeNs nanoseconds since boot, sleep included
     * @param monotonicNs nanoseconds since boot, sleep excluded
     * @param realtimeNs nanoseconds since 1970
     * @throws IOException if the stream fails
     */
    public void clockSnapshot(long boottimeNs, long monotonicNs, long realtimeNs) throws IOException {
        clocks(Map.of(
                TraceClock.BOOTTIME, boottimeNs, TraceClock.MONOTONIC, monotonicNs, TraceClock.REALTIME, realtimeNs));
    }

    /**
     * What the clocks showed at one moment, on a machine whose boot clock cannot be read: the monotonic clock is the trace's own
     * then, unless the boot clock has been named before.
     *
     * @param monotonicNs nanoseconds since boot, sleep excluded
     * @param realtimeNs nanoseconds since 1970
     * @throws IOException if the stream fails
     */
    public void clockSnapshot(long monotonicNs, long realtimeNs) throws IOException {
        clocks(Map.of(TraceClock.MONOTONIC, monotonicNs, TraceClock.REALTIME, realtimeNs));
    }

    /**
     * Says that the trace's own clock is the wall clock, and nothing of others.
     *
     * @param realtimeNs a time on it, nanoseconds since 1970
     * @throws IOException if the stream fails
     */
    public void wallClock(long realtimeNs) throws IOException {
        clocks(Map.of(TraceClock.REALTIME, realtimeNs));
    }

    private void clocks(Map<TraceClock, Long> readings) throws IOException {
        write(SystemPackets.clocks(packet(SERVICE_SEQUENCE), new EnumMap<>(readings)));
    }

    /**
     * The system that is traced. Readers need the kernel's release to tell the values of {@link PrevState}.
     *
     * @param kernelRelease as {@code uname -r} prints it, for example {@code 5.10.101-android13}
     * @param androidSdk Android's API level, 0 elsewhere
     * @throws IOException if the stream fails
     */
    public void systemInfo(String kernelRelease, int androidSdk) throws IOException {
        write(SystemPackets.android(packet(SERVICE_SEQUENCE), kernelRelease, androidSdk));
    }

    /**
     * The system that is traced, if it is no Android.
     *
     * @param kernelRelease as {@code uname -r} prints it
     * @param machine as {@code uname -m} prints it: numbers of system calls depend on it
     * @param cpus how many CPUs there are
     * @throws IOException if the stream fails
     */
    public void systemInfo(String kernelRelease, String machine, int cpus) throws IOException {
        write(SystemPackets.linux(packet(SERVICE_SEQUENCE), kernelRelease, machine, cpus));
    }

    /**
     * A CPU of the machine.
     *
     * @param model what its maker calls it
     * @param capacity what it can do in the kernel's measure, 1024 for the machine's fastest; 0 if not known
     */
    public record CpuEntry(String model, int capacity) {}

    /**
     * The CPUs of the machine.
     *
     * @param cpus all of them, by their numbers from 0 on
     * @throws IOException if the stream fails
     */
    public void cpuInfo(List<CpuEntry> cpus) throws IOException {
        write(SystemPackets.cpus(packet(SERVICE_SEQUENCE), cpus));
    }

    /**
     * What the kernel counted of one CPU's buffer.
     *
     * @param cpu the CPU
     * @param entries events that are in it
     * @param overrun events that were lost because newer ones took their place
     * @param commitOverrun events that were lost because interrupts nested too deeply
     * @param dropped events that were lost because the buffer was full
     * @param read events that were read from it
     */
    public record CpuStats(int cpu, long entries, long overrun, long commitOverrun, long dropped, long read) {}

    /**
     * What the kernel counted of its buffers, at the beginning or at the end.
     *
     * @param ts the time in ns
     * @param atEnd whether it is the end of the trace
     * @param cpuStats the counts of each CPU
     * @throws IOException if the stream fails
     */
    public void ftraceStats(long ts, boolean atEnd, List<CpuStats> cpuStats) throws IOException {
        write(SystemPackets.stats(packet(SERVICE_SEQUENCE), ts, atEnd, cpuStats));
    }

    /**
     * Processes and threads that exist at one moment. A trace may have many of these, each naming only what is new.
     *
     * @param ts the time in ns
     * @param processes processes, each of which implies its main thread
     * @param threads their other threads
     * @throws IOException if the stream fails
     */
    public void processTree(long ts, List<ProcessEntry> processes, List<ThreadEntry> threads) throws IOException {
        write(SystemPackets.processes(packet(PROCESS_SEQUENCE), ts, processes, threads));
    }

    /**
     * The kernel's events of one CPU.
     *
     * @param cpu the CPU's number
     * @return where its events go; the same object each time
     */
    public FtraceCpuWriter cpu(int cpu) {
        return cpus.computeIfAbsent(cpu, n -> new FtraceCpuWriter(this, n, format.compactSched()));
    }

    /**
     * Says that the kernel's events from now on carry times of its old "global" clock, as devices before Android 8 do. Until
     * this is called they are the boot clock's.
     *
     * @param ftraceNs what the global clock showed
     * @param boottimeNs what the boot clock showed at the same moment
     * @throws IOException if the stream fails
     */
    public void globalFtraceClock(long ftraceNs, long boottimeNs) throws IOException {
        flushCpus();
        globalFtraceNs = ftraceNs;
        globalBoottimeNs = boottimeNs;
    }

    /**
     * The display's frames.
     *
     * @param clock the clock of their times; if it is not the boot clock, there must be a {@link #clockSnapshot} as well
     * @return the sink
     */
    public FrameTimelineWriter frames(TraceClock clock) {
        return new FrameTimelineWriter(this, clock);
    }

    /**
     * The display's frames, for a trace that is put together with others: a frame's end says which one it is by a number alone, so
     * none may be in two of them.
     *
     * @param clock as in {@link #frames(TraceClock)}
     * @param first the number of the first frame to come; those that follow have the next ones
     * @return the sink
     */
    public FrameTimelineWriter frames(TraceClock clock, long first) {
        frameCookies = first - 1;
        return frames(clock);
    }

    /**
     * What a program says of itself, in a packet sequence of its own.
     *
     * @param clock the clock of its times; if it is not the boot clock, there must be a clock snapshot that has it as well
     * @param defaultTrack the track of most of its events, which then need not name it
     * @return the sink
     */
    public TrackEventWriter trackEvents(TraceClock clock, long defaultTrack) {
        return new TrackEventWriter(this, nextSequence++, clock, defaultTrack);
    }

    /**
     * What a profiler found, in a packet sequence of its own.
     *
     * @param clock the clock of its times; if it is not the boot clock, there must be a clock snapshot that has it as well
     * @return the sink
     */
    public PerfSampleWriter perfSamples(TraceClock clock) {
        return new PerfSampleWriter(this, nextSequence++, clock);
    }

    /**
     * Writes all that is kept in memory, in the order of the CPUs.
     *
     * @throws IOException if the stream fails
     */
    public void flush() throws IOException {
        flushCpus();
        flushPackets();
        out.flush();
    }

    /**
     * Writes what is left and closes the stream.
     *
     * @throws IOException if the stream fails
     */
    @Override
    public void close() throws IOException {
        try (out) {
            flush();
        }
    }

    /** The id under which events name a function of the kernel. */
    int kernelSymbolId(String function) {
        return kernelSymbolIds.computeIfAbsent(function, f -> kernelSymbolIds.size() + 1);
    }

    /** Tells one frame's start and end from all others. */
    long nextFrameCookie() {
        return ++frameCookies;
    }

    /** Writes one CPU's bundle, with those names of functions used in it that no packet had yet. */
    void bundle(ProtoWriter bundle, Set<String> kernelSymbols) throws IOException {
        ProtoWriter packet = packet(FTRACE_SEQUENCE);
        int flags = TracePacket.SEQ_NEEDS_INCREMENTAL_STATE;
        if (firstBundle) {
            flags |= TracePacket.SEQ_INCREMENTAL_STATE_CLEARED;
            firstBundle = false;
        }
        packet.varint(TracePacket.SEQUENCE_FLAGS, flags);
        if (!writtenKernelSymbols.containsAll(kernelSymbols)) {
            int data = packet.begin(TracePacket.INTERNED_DATA);
            for (String symbol : kernelSymbols) {
                if (!writtenKernelSymbols.add(symbol)) {
                    continue;
                }
                int entry = packet.begin(InternedData.KERNEL_SYMBOLS);
                packet.varint(InternedString.IID, kernelSymbolId(symbol));
                packet.string(InternedString.STR, symbol);
                packet.end(entry);
            }
            packet.end(data);
        }
        if (globalFtraceNs >= 0) {
            bundle.varint(FtraceEventBundle.FTRACE_CLOCK, FtraceClock.GLOBAL);
            bundle.varint(FtraceEventBundle.FTRACE_TIMESTAMP, globalFtraceNs);
            bundle.varint(FtraceEventBundle.BOOT_TIMESTAMP, globalBoottimeNs);
        }
        packet.message(TracePacket.FTRACE_EVENTS, bundle);
        write(packet);
    }

    /** A packet of a sequence, to be filled and given to {@link #write}. */
    ProtoWriter packet(int sequence) {
        ProtoWriter packet = new ProtoWriter();
        packet.varint(TracePacket.TRUSTED_PACKET_SEQUENCE_ID, sequence);
        return packet;
    }

    void write(ProtoWriter packet) throws IOException {
        packets.message(Trace.PACKET, packet);
        if (!format.compressedPackets() || packets.size() >= COMPRESSED_BATCH_BYTES) {
            flushPackets();
        }
    }

    private void flushPackets() throws IOException {
        if (packets.size() == 0) {
            return;
        }
        if (format.compressedPackets()) {
            byte[] compressed = deflate(packets.toByteArray());
            packets.clear();
            int packet = packets.begin(Trace.PACKET);
            packets.bytes(TracePacket.COMPRESSED_PACKETS, compressed);
            packets.end(packet);
        }
        packets.writeTo(out);
        packets.clear();
    }

    private void flushCpus() throws IOException {
        for (FtraceCpuWriter cpu : cpus.values()) {
            cpu.flush();
        }
    }

    private static byte[] deflate(byte[] bytes) {
        ProtoWriter compressed = new ProtoWriter(bytes.length / 4 + 64);
        byte[] chunk = new byte[8192];
        try (Deflater deflater = new Deflater()) {
            deflater.setInput(bytes);
            deflater.finish();
            while (!deflater.finished()) {
                compressed.raw(chunk, 0, deflater.deflate(chunk));
            }
        }
        return compressed.toByteArray();
    }
}

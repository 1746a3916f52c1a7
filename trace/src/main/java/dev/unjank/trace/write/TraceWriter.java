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
 * Writes a trace in Perfetto's format to a stream, in bounded memory: at most a bundle of events per CPU and one batch
 * of packets to compress. The output depends only on the calls.
 *
 * <p>A small trace of scheduling:
 *
 * {@snippet :
 * try (TraceWriter writer = new TraceWriter(out, WireFormat.COMPACT)) {
 *     writer.clockSnapshot(boottimeNs, monotonicNs, realtimeNs);
 *     writer.processTree(ts, List.of(new TraceWriter.ProcessEntry(pid, 1, "com.example")), List.of());
 *     FtraceCpuWriter cpu = writer.cpu(0);
 *     cpu.schedSwitch(ts, Task.idle(0), PrevState.RUNNABLE, main);
 *     cpu.print(ts + 1_000, main.tid(), AtraceMarks.begin(pid, "work"));
 * }
 * }
 */
public final class TraceWriter implements AutoCloseable {
    /** The size of a batch of packets to compress. */
    private static final int COMPRESSED_BATCH_BYTES = 128 * 1024;

    /** Each data source has its own sequence, as in Perfetto's producers. */
    private static final int SERVICE_SEQUENCE = 1;

    private static final int FTRACE_SEQUENCE = 2;
    private static final int PROCESS_SEQUENCE = 3;
    static final int FRAME_SEQUENCE = 4;

    /** The first free sequence: each {@link #trackEvents} takes the next. */
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
     * @param out the output, closed with this writer. Packets are written whole, so buffering is hardly needed
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
     * @param parentPid its parent process
     * @param name the first word of its command line: on Android the app's package
     * @param uid its user id, {@link Processes#NO_UID} if unknown
     */
    public record ProcessEntry(int pid, int parentPid, String name, int uid) {
        /**
         * Creates a process with an unknown user.
         *
         * @param pid its process id
         * @param parentPid its parent process
         * @param name its name
         */
        public ProcessEntry(int pid, int parentPid, String name) {
            this(pid, parentPid, name, Processes.NO_UID);
        }
    }

    /**
     * One thread of a {@link #processTree} that is not a main thread.
     *
     * @param tid its thread id
     * @param pid its process
     * @param name its short name
     */
    public record ThreadEntry(int tid, int pid, String name) {}

    /**
     * Writes a clock snapshot. The boot clock is the trace's.
     *
     * @param boottimeNs nanoseconds since boot, including suspend
     * @param monotonicNs nanoseconds since boot, excluding suspend
     * @param realtimeNs nanoseconds since 1970
     * @throws IOException if the stream fails
     */
    public void clockSnapshot(long boottimeNs, long monotonicNs, long realtimeNs) throws IOException {
        clocks(Map.of(
                TraceClock.BOOTTIME, boottimeNs, TraceClock.MONOTONIC, monotonicNs, TraceClock.REALTIME, realtimeNs));
    }

    /**
     * Writes a clock snapshot of a machine without a readable boot clock: the monotonic clock becomes the trace's,
     * unless the boot clock was written before.
     *
     * @param monotonicNs nanoseconds since boot, excluding suspend
     * @param realtimeNs nanoseconds since 1970
     * @throws IOException if the stream fails
     */
    public void clockSnapshot(long monotonicNs, long realtimeNs) throws IOException {
        clocks(Map.of(TraceClock.MONOTONIC, monotonicNs, TraceClock.REALTIME, realtimeNs));
    }

    /**
     * Makes the wall clock the trace's, without other clocks.
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
     * Writes the system info of an Android device. Readers need the kernel's release to interpret {@link PrevState}.
     *
     * @param kernelRelease as printed by {@code uname -r}
     * @param androidSdk the API level
     * @throws IOException if the stream fails
     */
    public void systemInfo(String kernelRelease, int androidSdk) throws IOException {
        write(SystemPackets.system(packet(SERVICE_SEQUENCE), kernelRelease, null, androidSdk, 0));
    }

    /**
     * Writes the system info of a machine without Android.
     *
     * @param kernelRelease as printed by {@code uname -r}
     * @param machine as printed by {@code uname -m}, on which the numbers of system calls depend
     * @param cpus the number of CPUs
     * @throws IOException if the stream fails
     */
    public void systemInfo(String kernelRelease, String machine, int cpus) throws IOException {
        write(SystemPackets.system(packet(SERVICE_SEQUENCE), kernelRelease, machine, 0, cpus));
    }

    /**
     * A CPU of the machine.
     *
     * @param model its model name
     * @param capacity its capacity in the kernel's scale, 1024 for the machine's fastest; 0 if unknown
     */
    public record CpuEntry(String model, int capacity) {}

    /**
     * Writes the CPUs of the machine.
     *
     * @param cpus all of them, by number from 0
     * @throws IOException if the stream fails
     */
    public void cpuInfo(List<CpuEntry> cpus) throws IOException {
        write(SystemPackets.cpus(packet(SERVICE_SEQUENCE), cpus));
    }

    /**
     * The kernel's counts for one CPU's buffer.
     *
     * @param cpu the CPU
     * @param entries events in the buffer
     * @param overrun events lost because newer ones overwrote them
     * @param commitOverrun events lost because interrupts were nested too deep
     * @param dropped events lost because the buffer was full
     * @param read events that were read from it
     */
    public record CpuStats(int cpu, long entries, long overrun, long commitOverrun, long dropped, long read) {}

    /**
     * Writes the kernel's counts for its buffers.
     *
     * @param ts the time in ns
     * @param atEnd whether it is the end of the trace; otherwise the beginning
     * @param cpuStats the counts of each CPU
     * @throws IOException if the stream fails
     */
    public void ftraceStats(long ts, boolean atEnd, List<CpuStats> cpuStats) throws IOException {
        write(SystemPackets.stats(packet(SERVICE_SEQUENCE), ts, atEnd, cpuStats));
    }

    /**
     * Writes processes and threads that exist at a time. A trace may contain many of these packets, each with new
     * ones only.
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
     * {@return the writer of one CPU's kernel events, the same object each time}
     *
     * @param cpu the CPU's number
     */
    public FtraceCpuWriter cpu(int cpu) {
        return cpus.computeIfAbsent(cpu, n -> new FtraceCpuWriter(this, n, format.compactSched()));
    }

    /**
     * Switches the times of kernel events to the kernel's old "global" clock, as on devices before Android 8. Before,
     * they are the boot clock's.
     *
     * @param ftraceNs a reading of the global clock
     * @param boottimeNs the reading of the boot clock at the same moment
     * @throws IOException if the stream fails
     */
    public void globalFtraceClock(long ftraceNs, long boottimeNs) throws IOException {
        flushCpus();
        globalFtraceNs = ftraceNs;
        globalBoottimeNs = boottimeNs;
    }

    /**
     * {@return the writer of the frame timeline}
     *
     * @param clock the clock of its times; if it is not the boot clock, a {@link #clockSnapshot} is required
     */
    public FrameTimelineWriter frames(TraceClock clock) {
        return new FrameTimelineWriter(this, clock);
    }

    /**
     * The writer of the frame timeline in a trace that will be merged with others: a frame's end refers to it by a
     * number only, which must be unique across the traces.
     *
     * @param clock as in {@link #frames(TraceClock)}
     * @param first the number of the first frame; the next ones follow
     * @return the writer
     */
    public FrameTimelineWriter frames(TraceClock clock, long first) {
        frameCookies = first - 1;
        return frames(clock);
    }

    /**
     * {@return a writer of a program's track events, in its own packet sequence}
     *
     * @param clock the clock of its times; if it is not the boot clock, a {@link #clockSnapshot} is required
     * @param defaultTrack the track of most of its events, which are written without it
     */
    public TrackEventWriter trackEvents(TraceClock clock, long defaultTrack) {
        return new TrackEventWriter(this, nextSequence++, clock, defaultTrack);
    }

    /**
     * {@return a writer of stack samples, in its own packet sequence}
     *
     * @param clock the clock of its times; if it is not the boot clock, a {@link #clockSnapshot} is required
     */
    public PerfSampleWriter perfSamples(TraceClock clock) {
        return new PerfSampleWriter(this, nextSequence++, clock);
    }

    /**
     * Writes all buffered data, in the order of the CPUs.
     *
     * @throws IOException if the stream fails
     */
    public void flush() throws IOException {
        flushCpus();
        flushPackets();
        out.flush();
    }

    /**
     * Writes the buffered data and closes the stream.
     *
     * @throws IOException if the stream fails
     */
    @Override
    public void close() throws IOException {
        try (out) {
            flush();
        }
    }

    /** The id of an interned kernel function. */
    int kernelSymbolId(String function) {
        return kernelSymbolIds.computeIfAbsent(function, f -> kernelSymbolIds.size() + 1);
    }

    /** A unique number that connects a frame's start and end. */
    long nextFrameCookie() {
        return ++frameCookies;
    }

    /** Writes one CPU's bundle, with the definitions of its new kernel functions. */
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

    /** Starts a packet of a sequence, to be filled and passed to {@link #write}. */
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

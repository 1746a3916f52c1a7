package dev.unjank.trace.read.perfetto;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.TraceNote;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.ProtoReader;
import dev.unjank.trace.read.common.ByteCounts;
import dev.unjank.trace.read.common.ClockOffsets;
import dev.unjank.trace.read.common.Parallelism;
import dev.unjank.trace.read.common.UnreadableRecords;
import dev.unjank.trace.read.input.BoundedUnpacker;
import dev.unjank.trace.read.input.ByteSource;
import dev.unjank.trace.read.input.MappedBytes;
import dev.unjank.trace.read.perfetto.ftrace.BundleClocks;
import dev.unjank.trace.read.perfetto.ftrace.BundleHeader;
import dev.unjank.trace.read.perfetto.ftrace.FtraceImporter;
import dev.unjank.trace.read.perfetto.ftrace.KernelSymbols;
import dev.unjank.trace.read.perfetto.ftrace.ParallelBundleImport;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/** Reads one Perfetto trace: passes its packets to their importers, and adds warnings. */
public final class PerfettoReader {
    /** The error message for a file that begins like a Perfetto trace and contains no valid packet. */
    public static final String NO_PACKETS = "not a trace, though it begins like a Perfetto trace";

    private static final int BUFFER = 1 << 18;

    private final String name;
    private final TraceBuilder builder;
    private final BoundedUnpacker unpacking;
    private final Parallelism parallelism;
    private final PacketImporter importer;
    private final FtraceImporter ftrace;
    private final BundleClocks bundleClocks;

    public PerfettoReader(String name, TraceBuilder builder, BoundedUnpacker unpacking, Parallelism parallelism) {
        this.name = name;
        this.builder = builder;
        this.unpacking = unpacking;
        this.parallelism = parallelism;
        this.importer = new PacketImporter(builder);
        this.ftrace = new FtraceImporter(builder, importer.clocks, importer.skipped);
        this.bundleClocks = new BundleClocks(importer.clocks);
    }

    /** Reads a whole file and returns its clock offsets. */
    public ClockOffsets read(MemorySegment bytes) throws IOException {
        PacketStream packets = new PacketStream(new MappedBytes(bytes));
        boolean ahead = parallelism.prefetchesPackets(bytes.byteSize());
        try (ParallelBundleImport deferred = new ParallelBundleImport(bytes, parallelism, builder, importer.clocks);
                PacketSource source = ahead ? new PacketPrefetcher(packets, parallelism.executor()) : packets) {
            readAll(source, deferred);
            importer.finish();
            deferred.readAll(ftrace);
        }
        return finish(packets, bytes.byteSize());
    }

    /** Reads a stream to its end and returns its clock offsets. */
    public ClockOffsets read(ByteSource source) throws IOException {
        PacketStream packets = new PacketStream(source, BUFFER);
        readAll(packets, null);
        importer.finish();
        return finish(packets, -1);
    }

    private ClockOffsets finish(PacketStream packets, long size) throws UnusableTraceException {
        if (importer.goodPackets == 0) {
            throw new UnusableTraceException(name + ": "
                    + (packets.end() == PacketStream.End.CUT
                            ? "truncated within its first packet; copy or record it again"
                            : NO_PACKETS));
        }
        builder.skipped(importer.skipped.packets(), importer.skipped.ftraceEvents());
        warn(packets, size);
        return importer.clocks.offsets();
    }

    /** Imports all packets. Bundles of kernel events, nearly all of a trace, are deferred if the file is mapped. */
    private void readAll(PacketSource packets, @Nullable ParallelBundleImport deferred) throws IOException {
        PacketHeader frame = new PacketHeader();
        while (packets.next(frame)) {
            int content = importer.read(frame, packets.bytes(), packets.from(), packets.to());
            if (content == TracePacket.FTRACE_EVENTS && deferred != null) {
                ProtoReader bundle = importer.packet;
                int length = packets.hasSkippedBundle() ? packets.skippedLength() : bundle.length();
                long offset = packets.hasSkippedBundle() ? packets.skippedOffset() : packets.offsetOf(bundle.from());
                deferred.add(offset, length, importer.sequenceId(), importer.symbols, importer.isAfterDrop);
            } else if (content == TracePacket.FTRACE_EVENTS) {
                readBundle();
            } else if (content == TracePacket.COMPRESSED_PACKETS) {
                readCompressed(importer.packet);
            }
        }
    }

    /** Imports the bundle of kernel events at the importer's position. */
    private void readBundle() {
        ProtoReader bundle = importer.packet;
        if (importer.isAfterDrop) {
            ftrace.losses().packetDropped();
        }
        BundleHeader head = ftrace.readHead(bundle.bytes(), bundle.from(), bundle.to());
        KernelSymbols symbols = importer.symbols;
        ftrace.readEvents(bundleClocks.clock(head, importer.sequenceId()), symbols, symbols.size());
    }

    /** Imports compressed packets, which are not nested further. */
    private void readCompressed(ProtoReader packet) throws IOException {
        byte[] copy = Arrays.copyOfRange(packet.bytes(), packet.from(), packet.to());
        PacketStream packets = new PacketStream(
                unpacking.ofPart(() -> new InflaterInputStream(new ByteArrayInputStream(copy))), 1 << 16);
        while (packets.next()) {
            if (importer.read(packets.bytes(), packets.from(), packets.to()) == TracePacket.FTRACE_EVENTS) {
                readBundle();
            }
        }
        if (packets.end() != PacketStream.End.CLEAN) {
            importer.skipped.omit(UnreadableRecords.Kind.COMPRESSED_PACKET);
        }
    }

    private void warn(PacketStream packets, long size) {
        long at = packets.offset();
        switch (packets.end()) {
            case CUT -> {
                builder.warn(
                        size < 0
                                ? TraceNote.of("cutPacket", at)
                                : TraceNote.of("cutPacketOf", at, ByteCounts.megabytes(size - at)));
                if (unpacking.end() != BoundedUnpacker.End.DAMAGED) {
                    builder.addUnreadPart(TraceNote.of("unread.end", name));
                }
            }
            case DAMAGED -> {
                builder.warn(
                        size < 0
                                ? TraceNote.of("damaged", at)
                                : TraceNote.of("damagedOf", at, ByteCounts.megabytes(size - at)));
                long percent = size < 0 ? 0 : (size - at) * 100 / size;
                builder.addUnreadPart(
                        percent == 0
                                ? TraceNote.of("unread.afterDamage", name)
                                : TraceNote.of("unread.last", percent, name));
            }
            case CLEAN -> {}
        }
        ftrace.losses().reportTo(builder);
        if (ftrace.lossyBundles() > 0) {
            builder.warn(TraceNote.of("bufferOverflows", TraceNote.times(ftrace.lossyBundles())));
        }
        if (importer.lostPackets > 0) {
            builder.warn(TraceNote.of("packetsLost", TraceNote.times(importer.lostPackets)));
        }
        importer.skipped.omissions().forEachWarning(builder::warn);
    }
}

package dev.unjank.trace.read;

import dev.unjank.trace.TraceBuilder;
import dev.unjank.trace.UnusableTraceException;
import dev.unjank.trace.proto.Fields.TracePacket;
import dev.unjank.trace.proto.ProtoReader;
import dev.unjank.trace.read.jfr.JfrImport;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** The import of one file: finds out what it holds, unpacks what is packed, and says what went wrong. */
final class TraceImport {
    private static final int BUFFER = 1 << 18;

    private final Path file;
    private final TraceBuilder builder;
    private final DeferredBundles.Sharing sharing;
    private final PacketImporter importer;
    private final FtraceImporter ftrace;
    private final BundleClocks bundleClocks;

    /** How many more bytes may be unpacked. */
    private long unpackable;

    private boolean tooMuchUnpacked;

    TraceImport(Path file, TraceBuilder builder, long unpackable, DeferredBundles.Sharing sharing) {
        this.file = file;
        this.builder = builder;
        this.sharing = sharing;
        this.unpackable = unpackable;
        this.importer = new PacketImporter(builder);
        this.ftrace = new FtraceImporter(builder, importer.clocks(), importer.skipped());
        this.bundleClocks = new BundleClocks(importer.clocks());
    }

    /** Reads the whole file into the builder. */
    void run(MemorySegment bytes) throws IOException {
        MappedBytes source = new MappedBytes(bytes);
        boolean packed = FileKind.of(source.head()) == FileKind.GZIP;
        PacketStream packets = packed ? new PacketStream(unpacking(gunzip(source)), BUFFER) : new PacketStream(source);
        FileKind kind = FileKind.of(packets.head());
        if (kind == FileKind.JFR) {
            readRecording(bytes, packed);
            return;
        }
        if (kind != FileKind.PERFETTO) {
            throw new UnusableTraceException(file + ": " + kind.complaint());
        }
        if (packed) {
            readAll(packets, null);
        } else {
            DeferredBundles deferred = new DeferredBundles(bytes, sharing, importer.clocks());
            readAll(packets, deferred);
            deferred.readAll(builder, ftrace);
        }
        if (importer.goodPackets() == 0) {
            throw new UnusableTraceException(file + ": "
                    + (packets.end() == PacketStream.End.CUT
                            ? "is cut off within its first packet; copy or record it again"
                            : FileKind.OTHER.complaint()));
        }
        builder.skipped(importer.skipped().packets(), importer.skipped().ftraceEvents());
        warn(packets, packed ? -1 : bytes.byteSize());
    }

    private void readRecording(MemorySegment bytes, boolean packed) throws IOException {
        boolean read;
        if (packed) {
            try (Arena arena = Arena.ofConfined()) {
                Unpacked unpacked = new Unpacked(unpacking(gunzip(new MappedBytes(bytes))));
                read = JfrImport.read(unpacked.readAll(arena), builder);
            }
        } else {
            read = JfrImport.read(bytes, builder);
        }
        if (!read) {
            throw new UnusableTraceException(file + ": " + FileKind.JFR.complaint());
        }
        warnOfUnpacking();
        warnOfProblems();
    }

    private InputStream gunzip(MappedBytes source) throws IOException {
        try {
            return new GZIPInputStream(source.stream(), BUFFER);
        } catch (ZipException | EOFException e) {
            throw new UnusableTraceException(file + ": is cut or damaged gzip data; copy or record it again", e);
        }
    }

    /** Takes a stream apart. Bundles of kernel events, nearly all of a trace, are left for later if their bytes stay where they are. */
    private void readAll(PacketStream packets, @Nullable DeferredBundles deferred) throws IOException {
        while (packets.next()) {
            int content = importer.read(packets.bytes(), packets.from(), packets.to());
            if (content == TracePacket.FTRACE_EVENTS && deferred != null) {
                ProtoReader bundle = importer.content();
                int length = packets.hasLeftBundle() ? packets.leftLength() : bundle.length();
                long offset = packets.hasLeftBundle() ? packets.leftOffset() : packets.offsetOf(bundle.from());
                deferred.add(offset, length, importer.sequenceId(), importer.symbols());
                packets.leaveBundles(deferred.mayLeaveHeads());
            } else if (content == TracePacket.FTRACE_EVENTS) {
                readBundle();
            } else if (content == TracePacket.COMPRESSED_PACKETS) {
                readCompressed(importer.content());
            }
        }
    }

    /** Reads the bundle of kernel events at which the importer stands. */
    private void readBundle() {
        ProtoReader bundle = importer.content();
        BundleHead head = ftrace.readHead(bundle.bytes(), bundle.from(), bundle.to());
        ftrace.readEvents(bundleClocks.clock(head, importer.sequenceId()), importer.symbols());
    }

    /** Reads packets from within a packet. They hold no further ones. */
    private void readCompressed(ProtoReader packet) throws IOException {
        byte[] copy = Arrays.copyOfRange(packet.bytes(), packet.from(), packet.to());
        PacketStream packets =
                new PacketStream(unpacking(new InflaterInputStream(new ByteArrayInputStream(copy))), 1 << 16);
        while (packets.next()) {
            if (importer.read(packets.bytes(), packets.from(), packets.to()) == TracePacket.FTRACE_EVENTS) {
                readBundle();
            }
        }
        if (packets.end() != PacketStream.End.CLEAN) {
            importer.skipped().problem("damaged compressed packet");
        }
    }

    /** A source that ends where packed data is damaged or more of it comes out than any trace holds. */
    private PacketStream.Source unpacking(InputStream in) {
        return (into, from, length) -> {
            if (unpackable <= 0) {
                tooMuchUnpacked = true;
                return -1;
            }
            try {
                int read = in.read(into, from, (int) Math.min(length, unpackable));
                unpackable -= Math.max(read, 0);
                return read;
            } catch (ZipException | EOFException e) {
                importer.skipped().problem("damaged or cut compressed data");
                return -1;
            }
        };
    }

    private void warn(PacketStream packets, long size) {
        warnOfUnpacking();
        long at = packets.offset();
        String rest = size < 0 ? "" : ", " + TraceReader.megabytes(size - at) + " are missing from the analysis";
        switch (packets.end()) {
            case CUT -> builder.warn("the file ends within a packet that begins at byte " + at + rest);
            case DAMAGED -> builder.warn("the file is damaged at byte " + at + rest);
            case CLEAN -> {}
        }
        if (ftrace.lossyBundles() > 0) {
            builder.warn("the kernel's trace buffer overflowed " + ftrace.lossyBundles()
                    + " times and events were lost; record with a larger buffer");
        }
        if (importer.lostPackets() > 0) {
            builder.warn("packets were lost " + importer.lostPackets()
                    + " times before they reached the file; record with a larger buffer");
        }
        warnOfWhatIsMissing();
        warnOfProblems();
    }

    private void warnOfUnpacking() {
        if (tooMuchUnpacked) {
            builder.warn("far more comes out of the compressed data than any trace holds; the rest was left out");
        }
    }

    private void warnOfProblems() {
        for (Map.Entry<String, Long> problem : importer.skipped().problems().entrySet()) {
            builder.warn("left out: " + problem.getKey() + ", " + problem.getValue() + " times");
        }
    }

    /** Who recorded programs alone is not told how to record Android. */
    private void warnOfWhatIsMissing() {
        boolean scheduling = builder.hasScheduling();
        boolean marks = ftrace.marks() > 0;
        if (!scheduling && !marks && importer.hasTrackEvents()) {
            builder.warn("the trace holds what programs wrote of themselves and no scheduler events: nobody can say why"
                    + " something was late; record the system with Perfetto at the same time, with sched/sched_switch and"
                    + " sched/sched_waking, and put one file behind the other");
            return;
        }
        if (!scheduling) {
            builder.warn(
                    "the trace holds no scheduler events: nobody can say who ran, waited or was preempted when; record"
                            + " with sched/sched_switch and sched/sched_waking");
        }
        if (!marks) {
            builder.warn(
                    "the trace holds no slices of Android's runtime and apps: nobody can say who waited for which lock;"
                            + " record with the atrace categories dalvik, am, wm, gfx and view, and with atrace_apps");
        }
    }
}

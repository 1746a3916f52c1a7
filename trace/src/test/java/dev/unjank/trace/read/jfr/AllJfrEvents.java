package dev.unjank.trace.read.jfr;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.read.jfr.format.ChunkHeader;
import dev.unjank.trace.read.jfr.format.ChunkMetadata;
import dev.unjank.trace.read.jfr.format.ChunkScanner;
import dev.unjank.trace.read.jfr.format.ConstantPools;
import dev.unjank.trace.read.jfr.format.Cursor;
import dev.unjank.trace.read.jfr.format.DamagedRecordingException;
import dev.unjank.trace.read.jfr.format.FieldReader;
import dev.unjank.trace.read.jfr.format.JfrType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads every event of a recording with all of its fields, for comparison with another parser. */
final class AllJfrEvents {
    /** Receives events in the order of the file. */
    interface Taker {
        void event(Read event);
    }

    /** An event, valid until the next one. */
    static final class Read {
        private final JfrType type;
        private final TickClock clock;
        private final ChunkConstants constants;
        private final FieldReader projection;
        private final long[] values;
        private final JfrThreads threads;

        Read(
                JfrType type,
                TickClock clock,
                ChunkConstants constants,
                FieldReader projection,
                long[] values,
                JfrThreads threads) {
            this.type = type;
            this.clock = clock;
            this.constants = constants;
            this.projection = projection;
            this.values = values;
            this.threads = threads;
        }

        JfrType type() {
            return type;
        }

        ChunkConstants constants() {
            return constants;
        }

        JfrThreads threads() {
            return threads;
        }

        long startNs() {
            return clock.ns(values[0]);
        }

        long value(int field) {
            return values[field];
        }

        @Nullable
        String text(int field) {
            return constants.text(projection.field(field), values[field]);
        }
    }

    private AllJfrEvents() {}

    static Map<String, Integer> counts(MemorySegment file) throws DamagedRecordingException {
        Map<String, Integer> counts = new HashMap<>();
        read(file, event -> counts.merge(event.type().name(), 1, Integer::sum));
        return counts;
    }

    static void read(MemorySegment file, Taker taker) throws DamagedRecordingException {
        Cursor cursor = new Cursor(file, 4096);
        JfrThreads threads = new JfrThreads();
        long at = 0;
        while (at < file.byteSize()) {
            ChunkHeader header = ChunkHeader.at(file, at);
            if (header == null) {
                throw new DamagedRecordingException("no chunk at " + at);
            }
            ChunkScanner scan = new ChunkScanner(file, cursor, header);
            scan.run();
            ChunkMetadata metadata = scan.metadata();
            if (metadata == null || scan.isDamaged()) {
                throw new DamagedRecordingException("chunk at " + at);
            }
            ConstantPools pools = new ConstantPools(metadata);
            metadata.types().forEach(pools::request);
            for (int i = 0; i < scan.checkpointCount(); i++) {
                pools.read(cursor, scan.checkpoint(i), scan.end());
            }
            ChunkConstants constants = new ChunkConstants(
                    metadata,
                    pools,
                    new Cursor(file, ChunkConstants.WINDOW),
                    new TraceBuilder("none"),
                    threads,
                    new EarlierChunkThreads());
            chunk(cursor, header, scan.end(), metadata, constants, threads, taker);
            at = scan.next();
        }
    }

    private static void chunk(
            Cursor cursor,
            ChunkHeader header,
            long end,
            ChunkMetadata metadata,
            ChunkConstants constants,
            JfrThreads threads,
            Taker taker)
            throws DamagedRecordingException {
        TickClock clock = TickClock.of(header);
        Map<JfrType, FieldReader> projections = new HashMap<>();
        long at = header.start() + ChunkHeader.SIZE;
        while (at < end) {
            cursor.seek(at);
            cursor.endAt(end);
            at += cursor.varint();
            JfrType type = metadata.type(cursor.varint());
            if (type != null && type.isEvent()) {
                FieldReader projection = projections.computeIfAbsent(type, t -> new FieldReader(t, fieldNames(t)));
                projection.read(cursor);
                long[] values = IntStream.range(0, type.fields().size())
                        .mapToLong(projection::value)
                        .toArray();
                if (cursor.position() != at) {
                    throw new DamagedRecordingException(
                            type.name() + " ends at " + cursor.position() + " and not at " + at);
                }
                taker.event(new Read(type, clock, constants, projection, values, threads));
            }
        }
    }

    private static List<String> fieldNames(JfrType type) {
        List<String> names = new ArrayList<>();
        type.fields().forEach(field -> names.add(field.name()));
        return names;
    }
}

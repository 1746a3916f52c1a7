package dev.unjank.trace.read.jfr;

import dev.unjank.trace.TraceBuilder;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads every event of a recording with all of its fields, for comparison with what somebody else reads. */
final class AllEvents {
    /** Takes events in the order in which they are in the file. */
    interface Taker {
        void event(Read event);
    }

    /** An event, good until the next one. */
    static final class Read {
        private final Type type;
        private final TickClock clock;
        private final Constants constants;
        private final Projection projection;
        private final long[] values;
        private final JfrThreads threads;

        Read(
                Type type,
                TickClock clock,
                Constants constants,
                Projection projection,
                long[] values,
                JfrThreads threads) {
            this.type = type;
            this.clock = clock;
            this.constants = constants;
            this.projection = projection;
            this.values = values;
            this.threads = threads;
        }

        Type type() {
            return type;
        }

        Constants constants() {
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

    private AllEvents() {}

    static Map<String, Integer> counts(MemorySegment file) throws DamagedException {
        Map<String, Integer> counts = new HashMap<>();
        read(file, event -> counts.merge(event.type().name(), 1, Integer::sum));
        return counts;
    }

    static void read(MemorySegment file, Taker taker) throws DamagedException {
        Cursor cursor = new Cursor(file, 4096);
        JfrThreads threads = new JfrThreads();
        long at = 0;
        while (at < file.byteSize()) {
            ChunkHeader header = ChunkHeader.at(file, at);
            if (header == null) {
                throw new DamagedException("no chunk at " + at);
            }
            ChunkScan scan = new ChunkScan(file, cursor, header);
            scan.run();
            Metadata metadata = scan.metadata();
            if (metadata == null || scan.isDamaged()) {
                throw new DamagedException("chunk at " + at);
            }
            ConstantPools pools = new ConstantPools(metadata);
            metadata.types().forEach(pools::want);
            for (int i = 0; i < scan.checkpointCount(); i++) {
                pools.read(cursor, scan.checkpoint(i), scan.end());
            }
            Constants constants = new Constants(
                    metadata,
                    pools,
                    new Cursor(file, Constants.WINDOW),
                    new TraceBuilder("none"),
                    threads,
                    new EarlierThreads());
            chunk(cursor, header, scan.end(), metadata, constants, threads, taker);
            at = scan.next();
        }
    }

    private static void chunk(
            Cursor cursor,
            ChunkHeader header,
            long end,
            Metadata metadata,
            Constants constants,
            JfrThreads threads,
            Taker taker)
            throws DamagedException {
        TickClock clock = TickClock.of(header);
        Map<Type, Projection> projections = new HashMap<>();
        long at = header.start() + ChunkHeader.SIZE;
        while (at < end) {
            cursor.seek(at);
            cursor.endAt(end);
            at += cursor.varint();
            Type type = metadata.type(cursor.varint());
            if (type != null && type.isEvent()) {
                Projection projection = projections.computeIfAbsent(type, t -> new Projection(t, fieldNames(t)));
                long[] values = new long[type.fields().size()];
                projection.read(cursor, values);
                if (cursor.position() != at) {
                    throw new DamagedException(type.name() + " ends at " + cursor.position() + " and not at " + at);
                }
                taker.event(new Read(type, clock, constants, projection, values, threads));
            }
        }
    }

    private static List<String> fieldNames(Type type) {
        List<String> names = new ArrayList<>();
        type.fields().forEach(field -> names.add(field.name()));
        return names;
    }
}

package dev.unjank.trace.read.jfr.format;

import dev.unjank.trace.collections.LongToIntMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The positions of a chunk's constants. Constants are read on demand, and most never are: of a checkpoint only the
 * positions are kept, and only for requested types.
 */
public final class ConstantPools {
    private final Map<Long, LongToIntMap> pools = new HashMap<>();
    private final ChunkMetadata metadata;

    public ConstantPools(ChunkMetadata metadata) {
        this.metadata = metadata;
    }

    /** Requests the constants of a type; must be called before the checkpoints are read. */
    public void request(JfrType type) {
        pools.put(type.id(), new LongToIntMap());
    }

    public long position(JfrType type, long key) {
        LongToIntMap pool = pools.get(type.id());
        return pool == null ? LongToIntMap.NONE : pool.get(key);
    }

    /** Calls back with the positions of all constants of a type, in no order. */
    public void forEach(JfrType type, LongConsumer position) {
        LongToIntMap pool = pools.get(type.id());
        if (pool != null) {
            pool.forEachValue(position);
        }
    }

    /** Calls back with the keys of all constants of a type, in no order. */
    public void forEachKey(JfrType type, LongConsumer key) {
        LongToIntMap pool = pools.get(type.id());
        if (pool != null) {
            pool.forEachKey(key);
        }
    }

    /** Adds the constants of the checkpoint at a position, of a chunk that ends at {@code to}. */
    public void read(Cursor cursor, long position, long to) throws DamagedRecordingException {
        cursor.seek(position);
        long length = cursor.varint();
        if (length <= 0 || length > to - position) {
            throw new DamagedRecordingException("a checkpoint is larger than its chunk");
        }
        long end = position + length;
        cursor.endAt(end);
        cursor.skipVarints(4); // its type, start, duration, and the distance to the previous one
        cursor.one(); // its kind
        int poolCount = cursor.count();
        for (int i = 0; i < poolCount; i++) {
            JfrType type = metadata.type(cursor.varint());
            int constants = cursor.count();
            if (constants > 0) {
                readPool(cursor, type, constants, end);
            }
        }
    }

    private void readPool(Cursor cursor, @Nullable JfrType type, int constants, long end)
            throws DamagedRecordingException {
        if (type == null) {
            throw new DamagedRecordingException("constants of a type without metadata");
        }
        TypeLayout layout = type.layout();
        LongToIntMap pool = pools.get(type.id());
        for (int i = 0; i < constants; i++) {
            long key = cursor.varint();
            long at = cursor.position();
            layout.skip(cursor);
            if (cursor.position() > end) {
                throw new DamagedRecordingException("a constant continues after its checkpoint");
            }
            if (pool != null) {
                pool.put(key, at);
            }
        }
    }
}

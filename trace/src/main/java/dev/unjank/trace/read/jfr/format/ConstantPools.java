package dev.unjank.trace.read.jfr.format;

import dev.unjank.trace.collections.LongToIntMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Where the constants of a chunk lie. Constants are read when somebody asks for one, and most never are: of those in a
 * checkpoint only the position is kept, and of types that nobody asks about not even that.
 */
public final class ConstantPools {
    private final Map<Long, LongToIntMap> pools = new HashMap<>();
    private final ChunkMetadata metadata;

    public ConstantPools(ChunkMetadata metadata) {
        this.metadata = metadata;
    }

    /** Says that constants of a type will be asked for; to be said before the checkpoints are read. */
    public void request(JfrType type) {
        pools.put(type.id(), new LongToIntMap());
    }

    /** Where a constant of a type lies. */
    public long position(JfrType type, long key) {
        LongToIntMap pool = pools.get(type.id());
        return pool == null ? LongToIntMap.NONE : pool.get(key);
    }

    /** Tells of the positions of all constants of a type, in no order. */
    public void forEach(JfrType type, LongConsumer position) {
        LongToIntMap pool = pools.get(type.id());
        if (pool != null) {
            pool.forEachValue(position);
        }
    }

    /** Tells of the numbers of all constants of a type, in no order. */
    public void forEachKey(JfrType type, LongConsumer key) {
        LongToIntMap pool = pools.get(type.id());
        if (pool != null) {
            pool.forEachKey(key);
        }
    }

    /** Notes the constants of the checkpoint at a position, of a chunk that ends at {@code to}. */
    public void read(Cursor cursor, long position, long to) throws DamagedRecordingException {
        cursor.seek(position);
        long length = cursor.varint();
        if (length <= 0 || length > to - position) {
            throw new DamagedRecordingException("a checkpoint of more than its chunk holds");
        }
        long end = position + length;
        cursor.endAt(end);
        cursor.skipVarints(4); // its type, when, how long, and how far it is to the one before
        cursor.one(); // why it was written
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
            throw new DamagedRecordingException("constants of a type that the metadata does not have");
        }
        TypeLayout layout = type.layout();
        LongToIntMap pool = pools.get(type.id());
        for (int i = 0; i < constants; i++) {
            long key = cursor.varint();
            long at = cursor.position();
            layout.skip(cursor);
            if (cursor.position() > end) {
                throw new DamagedRecordingException("a constant that goes on behind its checkpoint");
            }
            if (pool != null) {
                pool.put(key, at);
            }
        }
    }
}

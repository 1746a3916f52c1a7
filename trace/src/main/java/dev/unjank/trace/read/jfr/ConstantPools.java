package dev.unjank.trace.read.jfr;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Where the constants of a chunk lie. Constants are read when somebody asks for one, and most never are: of those in a
 * checkpoint only the position is kept, and of types that nobody asks about not even that.
 */
final class ConstantPools {
    private final Map<Long, KeyMap> pools = new HashMap<>();
    private final Metadata metadata;

    ConstantPools(Metadata metadata) {
        this.metadata = metadata;
    }

    /** Says that constants of a type will be asked for; to be said before the checkpoints are read. */
    void want(Type type) {
        pools.put(type.id(), new KeyMap());
    }

    /**
     * Where a constant of a type lies.
     *
     * @return the position of its value, {@link KeyMap#NONE} if there is none
     */
    long position(Type type, long key) {
        KeyMap pool = pools.get(type.id());
        return pool == null ? KeyMap.NONE : pool.get(key);
    }

    /** Tells of the positions of all constants of a type, in no order. */
    void forEach(Type type, LongConsumer position) {
        KeyMap pool = pools.get(type.id());
        if (pool != null) {
            pool.forEachValue(position);
        }
    }

    /** Tells of the numbers of all constants of a type, in no order. */
    void forEachKey(Type type, LongConsumer key) {
        KeyMap pool = pools.get(type.id());
        if (pool != null) {
            pool.forEachKey(key);
        }
    }

    /** Notes the constants of the checkpoint at a position, of a chunk that ends at {@code to}. */
    void read(Cursor cursor, long position, long to) throws DamagedException {
        cursor.seek(position);
        long length = cursor.varint();
        if (length <= 0 || length > to - position) {
            throw new DamagedException("a checkpoint of more than its chunk holds");
        }
        long end = position + length;
        cursor.endAt(end);
        cursor.skipVarints(4); // its type, when, how long, and how far it is to the one before
        cursor.one(); // why it was written
        int poolCount = cursor.count();
        for (int i = 0; i < poolCount; i++) {
            Type type = metadata.type(cursor.varint());
            int constants = cursor.count();
            if (constants > 0) {
                readPool(cursor, type, constants, end);
            }
        }
    }

    private void readPool(Cursor cursor, @Nullable Type type, int constants, long end) throws DamagedException {
        if (type == null) {
            throw new DamagedException("constants of a type that the metadata does not have");
        }
        Layout layout = type.layout();
        KeyMap pool = pools.get(type.id());
        for (int i = 0; i < constants; i++) {
            long key = cursor.varint();
            long at = cursor.position();
            layout.skip(cursor);
            if (cursor.position() > end) {
                throw new DamagedException("a constant that goes on behind its checkpoint");
            }
            if (pool != null) {
                pool.put(key, at);
            }
        }
    }
}

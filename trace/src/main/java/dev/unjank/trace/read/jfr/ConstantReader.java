package dev.unjank.trace.read.jfr;

import dev.unjank.trace.read.jfr.Type.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads chosen fields of the constants of a type, one constant at a time. */
final class ConstantReader {
    private final ConstantPools pools;
    private final Cursor cursor;
    private final Type type;
    private final Projection projection;
    private final long[] values;

    /**
     * Has read nothing yet.
     *
     * @param pools where the constants lie
     * @param cursor reads them; wherever it stood before does not matter
     * @param type of the constants
     * @param fields the names of those that are wanted
     */
    ConstantReader(ConstantPools pools, Cursor cursor, Type type, List<String> fields) {
        this.pools = pools;
        this.cursor = cursor;
        this.type = type;
        projection = new Projection(type, fields);
        values = new long[fields.size()];
    }

    Type type() {
        return type;
    }

    /** The field that was named so many places behind the first; null if the type has none. */
    @Nullable
    Field field(int index) {
        return projection.field(index);
    }

    /** What the last one read has there: see {@link Projection}. */
    long value(int index) {
        return values[index];
    }

    /** Reads a constant. False if there is none, or it is damaged. */
    boolean read(long key) {
        long at = pools.position(type, key);
        if (at == KeyMap.NONE) {
            return false;
        }
        try {
            cursor.seek(at);
            readHere();
            return true;
        } catch (DamagedException e) {
            return false;
        }
    }

    /** Reads what lies where the cursor stands, as the elements of an array do, and leaves it at the next. */
    void readElement() throws DamagedException {
        long at = cursor.position();
        readHere();
        cursor.seek(at);
        type.layout().skip(cursor);
    }

    private void readHere() throws DamagedException {
        projection.read(cursor, values);
    }
}

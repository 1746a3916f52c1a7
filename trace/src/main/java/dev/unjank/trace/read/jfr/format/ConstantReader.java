package dev.unjank.trace.read.jfr.format;

import dev.unjank.trace.collections.LongToIntMap;
import dev.unjank.trace.read.jfr.format.JfrType.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads chosen fields of the constants of a type, one constant at a time. */
public final class ConstantReader {
    private final ConstantPools pools;
    private final Cursor cursor;
    private final JfrType type;
    private final FieldReader projection;
    private final long[] values;

    /** Has read nothing yet. */
    public ConstantReader(ConstantPools pools, Cursor cursor, JfrType type, List<String> fields) {
        this.pools = pools;
        this.cursor = cursor;
        this.type = type;
        projection = new FieldReader(type, fields);
        values = new long[fields.size()];
    }

    public JfrType type() {
        return type;
    }

    /** The field that was named so many places behind the first; null if the type has none. */
    @Nullable
    public Field field(int index) {
        return projection.field(index);
    }

    /** What the last one read has there: see {@link FieldReader}. */
    public long value(int index) {
        return values[index];
    }

    /** Reads a constant. False if there is none, or it is damaged. */
    public boolean read(long key) {
        long at = pools.position(type, key);
        if (at == LongToIntMap.NONE) {
            return false;
        }
        try {
            cursor.seek(at);
            readHere();
            return true;
        } catch (DamagedRecordingException e) {
            return false;
        }
    }

    /** Reads what lies where the cursor stands, as the elements of an array do, and leaves it at the next. */
    public void readElement() throws DamagedRecordingException {
        long at = cursor.position();
        readHere();
        cursor.seek(at);
        type.layout().skip(cursor);
    }

    private void readHere() throws DamagedRecordingException {
        projection.read(cursor, values);
    }
}

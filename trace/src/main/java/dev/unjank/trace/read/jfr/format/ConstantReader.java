package dev.unjank.trace.read.jfr.format;

import dev.unjank.trace.collections.LongToIntMap;
import dev.unjank.trace.read.jfr.format.JfrType.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads some fields of the constants of a type, one constant at a time. */
public final class ConstantReader {
    private final ConstantPools pools;
    private final Cursor cursor;
    private final JfrType type;
    private final FieldReader projection;

    public ConstantReader(ConstantPools pools, Cursor cursor, JfrType type, List<String> fields) {
        this.pools = pools;
        this.cursor = cursor;
        this.type = type;
        projection = new FieldReader(type, fields);
    }

    public JfrType type() {
        return type;
    }

    /** The field at an index; null if the type does not have it. */
    @Nullable
    public Field field(int index) {
        return projection.field(index);
    }

    /** The value of a field in the last constant: see {@link FieldReader}. */
    public long value(int index) {
        return projection.value(index);
    }

    /** Reads a constant. Returns false if there is none, or it is damaged. */
    public boolean read(long key) {
        long at = pools.position(type, key);
        if (at == LongToIntMap.NONE) {
            return false;
        }
        try {
            cursor.seek(at);
            projection.read(cursor);
            return true;
        } catch (DamagedRecordingException e) {
            return false;
        }
    }

    /** Reads a constant at the cursor, such as an element of an array, and moves to its end. */
    public void readElement() throws DamagedRecordingException {
        long at = cursor.position();
        projection.read(cursor);
        cursor.seek(at);
        type.layout().skip(cursor);
    }
}

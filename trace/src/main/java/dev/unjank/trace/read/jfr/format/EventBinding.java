package dev.unjank.trace.read.jfr.format;

import dev.unjank.trace.read.jfr.format.JfrType.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Binds a type of events in a chunk to the fields that are read and a handler. */
public final class EventBinding {
    /** Handles an event. */
    public interface Handler {
        /** The values of the fields are in {@link EventBinding#value}. */
        void event(EventBinding event);
    }

    private final FieldReader projection;
    private final Handler handler;
    private final long[] values;

    public EventBinding(JfrType type, List<String> fields, Handler handler) {
        this.projection = new FieldReader(type, fields);
        this.handler = handler;
        this.values = new long[fields.size()];
    }

    /** Reads the event at the cursor, which ends at {@code end}, and calls the handler. */
    public void read(Cursor cursor, long end) throws DamagedRecordingException {
        projection.read(cursor, values);
        if (cursor.position() > end) {
            throw new DamagedRecordingException("an event continues after its end");
        }
        handler.event(this);
    }

    /** The value of a field, as in {@link FieldReader}. */
    public long value(int slot) {
        return values[slot];
    }

    /** An integer, 0 if the event does not have it. */
    public long number(int slot) {
        return values[slot] == FieldReader.ABSENT ? 0 : values[slot];
    }

    /** A floating-point number, 0 if the event does not have it. */
    public double fraction(int slot) {
        return values[slot] == FieldReader.ABSENT ? 0 : Double.longBitsToDouble(values[slot]);
    }

    @Nullable
    public Field field(int slot) {
        return projection.field(slot);
    }
}

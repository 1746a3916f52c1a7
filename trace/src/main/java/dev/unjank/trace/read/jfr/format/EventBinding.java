package dev.unjank.trace.read.jfr.format;

import dev.unjank.trace.read.jfr.format.JfrType.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The events of one kind in one chunk: which fields are read, and who gets them. */
public final class EventBinding {
    /** Takes an event. */
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

    /** Reads the event at the cursor, which ends at {@code end}, and hands it on. */
    public void read(Cursor cursor, long end) throws DamagedRecordingException {
        projection.read(cursor, values);
        if (cursor.position() > end) {
            throw new DamagedRecordingException("an event that goes on behind its end");
        }
        handler.event(this);
    }

    /** What a field holds, as {@link FieldReader} gives it. */
    public long value(int slot) {
        return values[slot];
    }

    /** A number, 0 if the event does not have it. */
    public long number(int slot) {
        return values[slot] == FieldReader.ABSENT ? 0 : values[slot];
    }

    /** A number with a fraction, 0 if the event does not have it. */
    public double fraction(int slot) {
        return values[slot] == FieldReader.ABSENT ? 0 : Double.longBitsToDouble(values[slot]);
    }

    @Nullable
    public Field field(int slot) {
        return projection.field(slot);
    }
}

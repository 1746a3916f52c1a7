package dev.unjank.trace.read.jfr;

import dev.unjank.trace.read.jfr.Type.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The events of one kind in one chunk: which fields are read, and who gets them. */
final class Binding {
    /** Takes an event. */
    interface Handler {
        /** The values of the fields are in {@link Binding#value}. */
        void event(Binding event);
    }

    private final Projection projection;
    private final Handler handler;
    private final long[] values;

    Binding(Type type, List<String> fields, Handler handler) {
        this.projection = new Projection(type, fields);
        this.handler = handler;
        this.values = new long[fields.size()];
    }

    /** Reads the event at the cursor, which ends at {@code end}, and hands it on. */
    void read(Cursor cursor, long end) throws DamagedException {
        projection.read(cursor, values);
        if (cursor.position() > end) {
            throw new DamagedException("an event that goes on behind its end");
        }
        handler.event(this);
    }

    /** What a field holds, as {@link Projection} gives it. */
    long value(int slot) {
        return values[slot];
    }

    /** A number, 0 if the event does not have it. */
    long number(int slot) {
        return values[slot] == Projection.ABSENT ? 0 : values[slot];
    }

    /** A number with a fraction, 0 if the event does not have it. */
    double fraction(int slot) {
        return values[slot] == Projection.ABSENT ? 0 : Double.longBitsToDouble(values[slot]);
    }

    @Nullable
    Field field(int slot) {
        return projection.field(slot);
    }
}

package dev.unjank.trace.read.jfr.format;

import java.util.List;
import java.util.function.Consumer;

/** Binds a type of events in a chunk to the fields that are read and a handler. */
public final class EventBinding {
    private final FieldReader fields;
    private final Consumer<FieldReader> handler;

    public EventBinding(JfrType type, List<String> fields, Consumer<FieldReader> handler) {
        this.fields = new FieldReader(type, fields);
        this.handler = handler;
    }

    /** Reads the event at the cursor, which ends at {@code end}, and calls the handler. */
    public void read(Cursor cursor, long end) throws DamagedRecordingException {
        fields.read(cursor);
        if (cursor.position() > end) {
            throw new DamagedRecordingException("an event continues after its end");
        }
        handler.accept(fields);
    }
}

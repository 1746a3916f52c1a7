package dev.unjank.record.kernel;

import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.TraceSink;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A source of kernel tracing events. */
abstract class TracingSource implements RecordingSource {
    private volatile @Nullable TracingSession session;

    abstract TracingSession open(TraceSink sink) throws IOException;

    @Override
    public void start(TraceSink sink) throws IOException {
        session = open(sink);
    }

    @Override
    public void begin() throws IOException {
        started().begin();
    }

    @Override
    public void end() throws IOException {
        started().end();
    }

    @Override
    public void stop() throws IOException {
        started().stop();
    }

    private TracingSession started() {
        return Objects.requireNonNull(session);
    }

    @Override
    public long events() {
        TracingSession current = session;
        return current == null ? 0 : current.events();
    }

    @Override
    public long settledUntil() {
        TracingSession current = session;
        return current == null ? Long.MIN_VALUE : current.settledUntil();
    }

    @Override
    public long lost() {
        TracingSession current = session;
        return current == null ? 0 : current.lost();
    }
}

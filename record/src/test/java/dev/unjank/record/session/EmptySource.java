package dev.unjank.record.session;

import java.io.IOException;

/** Is on, and records nothing. */
public class EmptySource implements RecordingSource {
    private final String name;

    /**
     * The source.
     *
     * @param name what it is called where it is said that it is on
     */
    public EmptySource(String name) {
        this.name = name;
    }

    /** What it is called. */
    final String name() {
        return name;
    }

    @Override
    public SourceAvailability probe() {
        return SourceAvailability.on(name, "nothing");
    }

    @Override
    public void start(TraceSink sink) throws IOException {}

    @Override
    public void stop() throws IOException {}

    @Override
    public long events() {
        return 0;
    }
}

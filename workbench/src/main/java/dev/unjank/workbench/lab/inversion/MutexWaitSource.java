package dev.unjank.workbench.lab.inversion;

import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.record.session.TraceSink;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A data source of the waits that the program reports, named like the lock waits of Android's runtime. */
final class MutexWaitSource implements RecordingSource {
    private final int pid;
    private final Path file;
    private @Nullable TraceSink sink;
    private volatile long events;

    MutexWaitSource(int pid, Path file) {
        this.pid = pid;
        this.file = file;
    }

    @Override
    public SourceAvailability probe() {
        return SourceAvailability.on("mutex", "waits and owners, as the program reports them");
    }

    @Override
    public void start(TraceSink to) {
        sink = to;
    }

    @Override
    public void stop() throws IOException {
        List<MutexWait> contentions = MutexWait.read(file);
        TraceSink to = sink;
        if (to == null) {
            throw new IllegalStateException("not started");
        }
        for (MutexWait wait : contentions) {
            to.slice(
                    wait.began(),
                    wait.taken(),
                    pid,
                    wait.waiter(),
                    "mutex",
                    "Lock contention on a pthread mutex (owner tid: " + wait.owner() + ")");
        }
        events = contentions.size();
    }

    @Override
    public long events() {
        return events;
    }
}

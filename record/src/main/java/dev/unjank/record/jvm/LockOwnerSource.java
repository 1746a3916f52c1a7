package dev.unjank.record.jvm;

import dev.unjank.record.agent.AgentProtocol;
import dev.unjank.record.lifecycle.Cleanup;
import dev.unjank.record.session.RecordingInterval;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.record.session.TraceSegment;
import dev.unjank.record.session.TraceSink;
import dev.unjank.trace.read.jfr.JfrChunks;
import dev.unjank.trace.write.TrackEventWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Records the owners of contended locks with their stacks, by an agent in the target. The samples complete the waits
 * that {@link FlightRecorderSource} finds. This source writes waits that last beyond the end of the recording, unless
 * Flight Recorder reports them.
 */
final class LockOwnerSource implements RecordingSource {
    private static final String NAME = "lock owners";
    private static final String JAR = "observer.jar";
    private static final String SOCKET = "observer";

    private final TargetJvm target;
    private @Nullable AgentClient client;
    private @Nullable TraceSink sink;
    private @Nullable SharedWorkspace workspace;

    LockOwnerSource(TargetJvm target) {
        this.target = target;
    }

    @Override
    public SourceAvailability probe() {
        try {
            JvmAttachClient vm = target.vm();
            if (vm.feature() < AgentJar.FEATURE) {
                return SourceAvailability.off(
                        NAME,
                        "the target runs Java " + vm.feature() + ", so only the previous owner of a monitor is known",
                        "run it on Java " + AgentJar.FEATURE + " or later");
            }
            return SourceAvailability.on(NAME, "monitors and java.util.concurrent locks, with the owner's stack");
        } catch (IOException e) {
            return TargetJvm.off(NAME, e);
        }
    }

    @Override
    public void start(TraceSink to) throws IOException {
        target.deadline().requireNotHurrying();
        sink = to;
        target.threads(to);
        JvmAttachClient vm = target.vm();
        SharedWorkspace made = vm.workspace(JAR, AgentJar.bytes());
        try {
            Path jar = made.inTarget(JAR);
            vm.load(jar, jar + "\n" + made.inTarget(SOCKET));
            client = target.deadline()
                    .ask(() -> AgentClient.connect(
                            made.connect(SOCKET),
                            target.deadline(),
                            target.samples(),
                            events -> to.lost(NAME, events),
                            this::ended));
            workspace = made;
            target.agent(client);
        } catch (IOException | RuntimeException e) {
            made.closeQuietly();
            throw e;
        }
    }

    private void ended(String reason) {
        if (!target.hasEnded()) {
            sink().ended(NAME, reason);
        }
    }

    @Override
    public boolean asksTarget() {
        return true;
    }

    /**
     * Requests the last sample now. A later sample would miss waits that {@link FlightRecorderSource} does not report
     * either.
     */
    @Override
    public void end() {
        client().end();
    }

    @Override
    public void stop() throws IOException {
        new Cleanup()
                .then(() -> client().close(target.leftovers()))
                .then(this::writeCurrentWaits)
                .then(() -> note(sink().interval().nearest(System.nanoTime())))
                .then(Objects.requireNonNull(workspace)::close)
                .finish();
    }

    private void writeCurrentWaits() {
        RecordingInterval interval = sink().interval();
        for (LockOwnerSample wait : target.samples().last()) {
            if (wait.since() > interval.until()) {
                continue;
            }
            long since = interval.nearest(wait.since());
            int tid = target.threads().tid(wait.waiter());
            LockSliceNames.Owner owner = target.threads().owner(wait.owner());
            if (tid >= 0 && owner != null && !target.waitsAtEnd().isOf(tid)) {
                sink().write(to -> begin(wait, owner, to, since, to.track(target.pid(), tid)));
            }
        }
    }

    /** Begins a slice without an end, for a wait that never ended. */
    private static void begin(LockOwnerSample wait, LockSliceNames.Owner owner, TraceSegment to, long since, long track)
            throws IOException {
        boolean isMonitor = wait.how() == AgentProtocol.MONITOR;
        String name = isMonitor ? LockSliceNames.monitor(owner, wait.site()) : LockSliceNames.park(wait.lock(), owner);
        TrackEventWriter.Event event = to.events().begin(since, track, isMonitor ? "monitor" : "park", name);
        if (isMonitor) {
            event.arg(JfrChunks.LOCK_CLASS, wait.lock());
        }
        wait.addStack(event).write();
    }

    private void note(long now) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("seen", client().samples());
        facts.put("without stack", client().withoutStack());
        facts.put("lost", client().lost());
        facts.put("waits for the observer", client().waitsForAgent());
        String trouble = client().trouble();
        if (trouble != null) {
            facts.put("trouble", trouble);
        }
        sink().write(segment -> segment.note(now, NAME, facts));
    }

    private AgentClient client() {
        return Objects.requireNonNull(client);
    }

    private TraceSink sink() {
        return Objects.requireNonNull(sink);
    }

    @Override
    public void close() {
        target.close();
    }

    @Override
    public long events() {
        return client == null ? 0 : client.samples();
    }

    @Override
    public long lost() {
        return client == null ? 0 : client.lost();
    }
}

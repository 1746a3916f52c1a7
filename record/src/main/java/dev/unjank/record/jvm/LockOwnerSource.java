package dev.unjank.record.jvm;

import dev.unjank.record.agent.AgentProtocol;
import dev.unjank.record.lifecycle.Cleanup;
import dev.unjank.record.lifecycle.Started;
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
import org.jspecify.annotations.Nullable;

/**
 * Who has the locks that others wait for, and where the owner is at that moment: puts an observer into the target and listens to it.
 * What it sees goes into the names of the waits that {@link FlightRecorderSource} finds; waits that are still going on at the end
 * this source writes by itself, but for those that are over before Flight Recorder is: of them it tells.
 */
public final class LockOwnerSource implements RecordingSource {
    private static final String NAME = "lock owners";
    private static final String JAR = "observer.jar";
    private static final String SOCKET = "observer";

    private final TargetJvm target;
    private @Nullable AgentClient client;
    private @Nullable TraceSink sink;
    private @Nullable SharedWorkspace workspace;

    /**
     * The source.
     *
     * @param target the process
     */
    public LockOwnerSource(TargetJvm target) {
        this.target = target;
    }

    @Override
    public SourceAvailability probe() {
        try {
            JvmAttachClient vm = target.vm();
            if (vm.feature() < AgentJar.FEATURE) {
                return SourceAvailability.off(
                        NAME,
                        "the target runs Java " + vm.feature() + ", so only the last owner of a monitor is known",
                        "run it on Java " + AgentJar.FEATURE + " or later");
            }
            return SourceAvailability.on(NAME, "monitors and locks of java.util.concurrent, with the owner's stack");
        } catch (IOException e) {
            return TargetJvm.off(NAME, e);
        }
    }

    @Override
    public void start(TraceSink to) throws IOException {
        target.patience().requireNotHurrying();
        sink = to;
        target.threads(to);
        JvmAttachClient vm = target.vm();
        SharedWorkspace made = vm.workspace(JAR, AgentJar.bytes());
        try {
            Path jar = made.inTarget(JAR);
            vm.load(jar, jar + "\n" + made.inTarget(SOCKET));
            client = target.patience()
                    .ask(() -> AgentClient.connect(
                            made.connect(SOCKET),
                            target.patience(),
                            target.sightings(),
                            events -> to.lost(NAME, events),
                            this::ended));
            workspace = made;
            target.observedBy(client);
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

    /** Looks for the last time: what is over when {@link FlightRecorderSource} has ended nobody sees any more. */
    @Override
    public void end() {
        client().end();
    }

    @Override
    public void stop() throws IOException {
        new Cleanup()
                .then(() -> client().close(target.leftovers()))
                .then(this::tellOfWaitsGoingOn)
                .then(() -> note(sink().interval().nearest(System.nanoTime())))
                .then(Started.required(workspace)::close)
                .finish();
    }

    private void tellOfWaitsGoingOn() {
        RecordingInterval interval = sink().interval();
        for (LockOwnerSample wait : target.sightings().last()) {
            if (wait.since() > interval.until()) {
                continue;
            }
            long since = interval.nearest(wait.since());
            int tid = target.threads().tid(wait.waiter());
            LockSliceNames.Owner owner = target.threads().owner(wait.owner());
            if (tid >= 0 && owner != null && !target.crossing().isOf(tid)) {
                sink().write(to -> begin(wait, owner, to, since, to.track(target.pid(), tid)));
            }
        }
    }

    /** Without an end: that is how a reader knows that it never came to one. */
    private static void begin(LockOwnerSample wait, LockSliceNames.Owner owner, TraceSegment to, long since, long track)
            throws IOException {
        boolean isMonitor = wait.how() == AgentProtocol.MONITOR;
        String name = isMonitor ? LockSliceNames.monitor(owner, wait.site()) : LockSliceNames.park(wait.lock(), owner);
        TrackEventWriter.Event event = to.events().begin(since, track, isMonitor ? "monitor" : "park", name);
        if (isMonitor) {
            event.arg(JfrChunks.LOCK_CLASS, wait.lock());
        }
        wait.tellStack(event).write();
    }

    private void note(long now) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("seen", client().sightings());
        facts.put("without stack", client().withoutStack());
        facts.put("lost", client().lost());
        facts.put("waits for the observer", client().inTheWay());
        String trouble = client().trouble();
        if (trouble != null) {
            facts.put("trouble", trouble);
        }
        sink().write(segment -> segment.note(now, NAME, facts));
    }

    private AgentClient client() {
        return Started.required(client);
    }

    private TraceSink sink() {
        return Started.required(sink);
    }

    /** Always: what it sees goes into what {@link FlightRecorderSource} tells. */
    @Override
    public long settledUntil() {
        return System.nanoTime();
    }

    @Override
    public void close() {
        target.close();
    }

    @Override
    public long events() {
        return client == null ? 0 : client.sightings();
    }

    @Override
    public long lost() {
        return client == null ? 0 : client.lost();
    }
}

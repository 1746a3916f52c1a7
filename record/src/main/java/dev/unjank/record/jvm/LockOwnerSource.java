package dev.unjank.record.jvm;

import dev.unjank.record.observer.Wire;
import dev.unjank.record.session.Availability;
import dev.unjank.record.session.Interval;
import dev.unjank.record.session.Segment;
import dev.unjank.record.session.Source;
import dev.unjank.record.session.TraceSink;
import dev.unjank.record.thread.Ending;
import dev.unjank.record.thread.Start;
import dev.unjank.trace.read.jfr.JfrChunks;
import dev.unjank.trace.write.TrackEvents;
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
public final class LockOwnerSource implements Source {
    private static final String NAME = "lock owners";
    private static final String JAR = "observer.jar";
    private static final String SOCKET = "observer";

    private final Target target;
    private @Nullable ObserverClient client;
    private @Nullable TraceSink sink;
    private @Nullable Workspace workspace;

    /**
     * The source.
     *
     * @param target the process
     */
    public LockOwnerSource(Target target) {
        this.target = target;
    }

    @Override
    public Availability probe() {
        try {
            TargetVm vm = target.vm();
            if (vm.feature() < ObserverJar.FEATURE) {
                return Availability.off(
                        NAME,
                        "the target runs Java " + vm.feature() + ", so only the last owner of a monitor is known",
                        "run it on Java " + ObserverJar.FEATURE + " or later");
            }
            return Availability.on(NAME, "monitors and locks of java.util.concurrent, with the owner's stack");
        } catch (IOException e) {
            return Target.off(NAME, e);
        }
    }

    @Override
    public void start(TraceSink to) throws IOException {
        target.patience().requireNotHurrying();
        sink = to;
        target.threads(to);
        TargetVm vm = target.vm();
        Workspace made = vm.workspace(JAR, ObserverJar.bytes());
        try {
            Path jar = made.inTarget(JAR);
            vm.load(jar, jar + "\n" + made.inTarget(SOCKET));
            client = target.patience()
                    .ask(() -> ObserverClient.connect(
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
        new Ending()
                .then(() -> client().close(target.leftovers()))
                .then(this::tellOfWaitsGoingOn)
                .then(() -> note(sink().interval().nearest(System.nanoTime())))
                .then(Start.required(workspace)::close)
                .finish();
    }

    private void tellOfWaitsGoingOn() {
        Interval interval = sink().interval();
        for (Sighting wait : target.sightings().last()) {
            if (wait.since() > interval.until()) {
                continue;
            }
            long since = interval.nearest(wait.since());
            int tid = target.threads().tid(wait.waiter());
            LockNames.Owner owner = target.threads().owner(wait.owner());
            if (tid >= 0 && owner != null && !target.crossing().isOf(tid)) {
                sink().write(to -> begin(wait, owner, to, since, to.track(target.pid(), tid)));
            }
        }
    }

    /** Without an end: that is how a reader knows that it never came to one. */
    private static void begin(Sighting wait, LockNames.Owner owner, Segment to, long since, long track)
            throws IOException {
        boolean isMonitor = wait.how() == Wire.MONITOR;
        String name = isMonitor ? LockNames.monitor(owner, wait.site()) : LockNames.park(wait.lock(), owner);
        TrackEvents.Event event = to.events().begin(since, track, isMonitor ? "monitor" : "park", name);
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

    private ObserverClient client() {
        return Start.required(client);
    }

    private TraceSink sink() {
        return Start.required(sink);
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

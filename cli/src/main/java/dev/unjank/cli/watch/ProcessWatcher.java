package dev.unjank.cli.watch;

import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.record.jvm.BlockedThread;
import dev.unjank.record.live.LiveRecording;
import dev.unjank.record.live.ThreadCpuLoads;
import java.io.IOException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The state of {@code unjank watch}: incidents, current lock waits and thread loads of a process. Not thread-safe. */
public final class ProcessWatcher {
    private static final int MOST_THREADS = 40;
    private static final int MOST_CAUSES = 10;
    private static final int MOST_INCIDENTS = 100;

    private static final IncidentLog.Waits NONE = new IncidentLog.Waits(0, 0);

    private final LiveRecording recording;
    private final IncidentPoller poller;
    private final ThreadCpuLoads loads;
    private final IncidentLog log = new IncidentLog();

    /** Watches a recording of the process, which the caller closes. */
    public ProcessWatcher(LiveRecording recording, int pid, DoctorOptions options) {
        this.recording = recording;
        poller = new IncidentPoller(recording::snapshot, pid, options);
        loads = new ThreadCpuLoads(pid);
    }

    /** Finds the incidents that have ended since the last call, ordered by end. */
    public List<IncidentSnapshot> next() throws IOException {
        return take(poller.next());
    }

    /** Finds the remaining incidents after the recording is closed, including unfinished ones. */
    public List<IncidentSnapshot> last() throws IOException {
        return take(poller.last());
    }

    private List<IncidentSnapshot> take(List<IncidentSnapshot> found) {
        List<IncidentSnapshot> inOrder = found.stream()
                .sorted(Comparator.comparing(IncidentSnapshot::end))
                .toList();
        log.add(inOrder, Instant.now());
        return inOrder;
    }

    /** Takes a snapshot for the screen. */
    public WatchSnapshot view() {
        long now = System.nanoTime();
        List<BlockedThread> blocked = recording.blockedNow();
        return new WatchSnapshot(
                threads(blocked),
                blocked,
                DeadlockFinder.in(blocked, now),
                now,
                log.causes(MOST_CAUSES),
                log.worst(MOST_INCIDENTS),
                log.latest(MOST_INCIDENTS),
                log.count(),
                log.sumNs(),
                recording.availability(),
                remarks(),
                recording.progress());
    }

    /** Reasons why incidents may be missing: the process has no such thread, or events were dropped. */
    public List<String> remarks() {
        String mistake = poller.mistake();
        return Stream.of(mistake == null ? "" : mistake, poller.isMissing() ? WatchMessages.of("missing") : "")
                .filter(remark -> !remark.isEmpty())
                .toList();
    }

    private List<WatchSnapshot.ThreadLine> threads(List<BlockedThread> blocked) {
        Map<Integer, BlockedThread> waiting = new HashMap<>();
        blocked.forEach(each -> waiting.put(each.waiter().tid(), each));
        Map<Integer, IncidentLog.Waits> waits = log.waits();
        return loads.look().stream()
                .sorted(Comparator.<ThreadCpuLoads.Load>comparingInt(load -> waiting.containsKey(load.tid()) ? 0 : 1)
                        .thenComparingLong(
                                load -> -waits.getOrDefault(load.tid(), NONE).sumNs())
                        .thenComparingDouble(load -> -load.ran() - load.ready())
                        .thenComparingInt(ThreadCpuLoads.Load::tid))
                .limit(MOST_THREADS)
                .map(load -> line(load, waits.getOrDefault(load.tid(), NONE), waiting.get(load.tid())))
                .toList();
    }

    private WatchSnapshot.ThreadLine line(
            ThreadCpuLoads.Load load, IncidentLog.Waits waits, @Nullable BlockedThread blocked) {
        String name = poller.name(load.tid());
        return new WatchSnapshot.ThreadLine(
                name == null ? loads.name(load.tid()) : name,
                load.ran(),
                load.ready(),
                waits.count(),
                waits.sumNs(),
                blocked != null,
                blocked == null
                        ? state(loads.state(load.tid()))
                        : WatchMessages.of("thread.waits", blocked.owner().name()));
    }

    private static String state(char letter) {
        return switch (letter) {
            case 'R' -> WatchMessages.of("thread.running");
            case 'S', 'I' -> WatchMessages.of("thread.sleeping");
            case 'D' -> WatchMessages.of("thread.uninterruptible");
            case 'T', 't' -> WatchMessages.of("thread.stopped");
            default -> WatchMessages.of("thread.ended");
        };
    }
}

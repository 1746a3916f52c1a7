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

/** A process that is being watched: what is known of it by now. Not for several threads. */
public final class ProcessWatcher {
    private static final int MOST_THREADS = 40;
    private static final int MOST_INCIDENTS = 100;

    private static final String MISSING =
            "some of the kernel's events were dropped before they could be looked at, since there were too many"
                    + " or the process stood still: waits may be missing";

    private static final IncidentLog.Waits NONE = new IncidentLog.Waits(0, 0);

    private final LiveRecording recording;
    private final IncidentPoller lastSeconds;
    private final ThreadCpuLoads loads;
    private final IncidentLog log = new IncidentLog();

    /**
     * Watches what is recorded.
     *
     * @param recording the recording of the process; this does not end it
     * @param pid the process
     * @param options which incidents count
     */
    public ProcessWatcher(LiveRecording recording, int pid, DoctorOptions options) {
        this.recording = recording;
        lastSeconds = new IncidentPoller(recording::snapshot, pid, options);
        loads = new ThreadCpuLoads(pid);
    }

    /**
     * Looks for incidents that have ended since the last time.
     *
     * @return them, in order of their ends
     * @throws IOException if the recording cannot be read
     */
    public List<IncidentSnapshot> next() throws IOException {
        return take(lastSeconds.next());
    }

    /**
     * The same once the recording is closed, with those that have not ended.
     *
     * @return them, in order of their ends
     * @throws IOException if the recording cannot be read
     */
    public List<IncidentSnapshot> last() throws IOException {
        return take(lastSeconds.last());
    }

    private List<IncidentSnapshot> take(List<IncidentSnapshot> found) {
        List<IncidentSnapshot> inOrder = found.stream()
                .sorted(Comparator.comparing(IncidentSnapshot::end))
                .toList();
        log.add(inOrder, Instant.now());
        return inOrder;
    }

    /**
     * How things stand now.
     *
     * @return all that a screen shows
     */
    public WatchSnapshot view() {
        long now = System.nanoTime();
        List<BlockedThread> blocked = recording.blockedNow();
        return new WatchSnapshot(
                threads(blocked),
                blocked,
                DeadlockFinder.in(blocked, now),
                now,
                log.worst(MOST_INCIDENTS),
                log.latest(MOST_INCIDENTS),
                log.count(),
                log.sumNs(),
                recording.availability(),
                remarks(),
                recording.progress());
    }

    /**
     * Why less is told than one might think: the process has not had the thread that was asked for, or not all could be looked at.
     *
     * @return each in one line, which does not change
     */
    public List<String> remarks() {
        String mistake = lastSeconds.mistake();
        return Stream.of(mistake == null ? "" : mistake, lastSeconds.isMissing() ? MISSING : "")
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
        String name = lastSeconds.name(load.tid());
        return new WatchSnapshot.ThreadLine(
                name == null ? loads.name(load.tid()) : name,
                load.ran(),
                load.ready(),
                waits.count(),
                waits.sumNs(),
                blocked == null
                        ? state(loads.state(load.tid()))
                        : "waits for " + blocked.owner().name());
    }

    private static String state(char letter) {
        return switch (letter) {
            case 'R' -> "runs, or is ready to";
            case 'S', 'I' -> "sleeps";
            case 'D' -> "sleeps in the kernel";
            case 'T', 't' -> "is stopped";
            default -> "has ended";
        };
    }
}

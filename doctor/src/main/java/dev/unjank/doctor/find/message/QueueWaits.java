package dev.unjank.doctor.find.message;

import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.find.wait.BlameInterval;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.doctor.model.QueueBacklog;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Waits of messages in their looper's queue. A message is due when it is sent, or after its delay.
 *
 * <p>Consecutive runs of messages, each due before the end of the run before, are a backlog if they are at least {@link
 * #LEAST_MESSAGES}, if their total wait is longer than their total run, and if no single one ran for more than half of
 * the longest wait, since then that message was slow rather than the queue full. The wait is that of the message that
 * waited longest, from its due time until its run. A message without a recorded send delays others and has no wait
 * itself.
 */
public final class QueueWaits implements WaitSource {
    /** Fewer consecutive messages are the normal use of a queue. */
    static final int LEAST_MESSAGES = 4;

    private final Slices slices;
    private final LooperMessageRuns messages;
    private final ThreadRefFactory refs;
    /**
     * By the slice of the delayed message: its wait may be shortened later, by an overlapping wait of the looper's
     * thread.
     */
    private final Map<Integer, QueueBacklog> backlogs = new ConcurrentHashMap<>();

    /** The run of a message: its slice, its due time, and the slice that sent it, -1 if not recorded. */
    private record Run(int row, long dueNs, int send) {}

    public QueueWaits(Trace trace, ThreadRefFactory refs) {
        this.slices = trace.slices();
        this.messages = new LooperMessageRuns(trace, refs);
        this.refs = refs;
    }

    @Override
    public void find(int utid, Consumer<BlockedInterval> found) {
        if (!messages.hasRecordedSends()) {
            return;
        }
        List<Run> runs = new ArrayList<>();
        long end = Long.MIN_VALUE;
        for (int slice = slices.first(utid); slice < slices.end(utid); slice++) {
            if (slices.ts(slice) >= end && LooperMessageRuns.isRun(slices, slice)) {
                Run run = run(slice);
                if (!runs.isEmpty() && run.send >= 0 && run.dueNs >= end) {
                    addBacklog(utid, runs, found);
                    runs.clear();
                }
                runs.add(run);
                end = slices.endNs(slice);
            }
        }
        addBacklog(utid, runs, found);
    }

    private Run run(int slice) {
        int send = messages.send(slice);
        return new Run(slice, send < 0 ? slices.ts(slice) : messages.dueNs(slice, send), send);
    }

    private void addBacklog(int utid, List<Run> runs, Consumer<BlockedInterval> found) {
        long waited = 0;
        long ran = 0;
        int last = 0;
        for (int i = 0; i < runs.size(); i++) {
            waited += waitOf(runs.get(i));
            ran += slices.dur(runs.get(i).row);
            last = waitOf(runs.get(i)) > waitOf(runs.get(last)) ? i : last;
        }
        if (runs.size() < LEAST_MESSAGES || waited <= ran) {
            return;
        }
        Run delayed = runs.get(last);
        long longest = waitOf(delayed);
        List<Run> before = runs.subList(0, last).stream()
                .filter(run -> slices.endNs(run.row) > delayed.dueNs)
                .toList();
        boolean isOneSlow = before.stream().anyMatch(run -> slices.dur(run.row) > longest / 2);
        if (longest >= WaitSource.MIN_WAIT_NS && before.size() >= LEAST_MESSAGES - 1 && !isOneSlow) {
            BlockedInterval interval =
                    new BlockedInterval(this, utid, delayed.row, delayed.dueNs, slices.ts(delayed.row), false);
            backlogs.put(interval.row(), backlog(before, interval));
            found.accept(interval);
        }
    }

    private long waitOf(Run run) {
        return slices.ts(run.row) - run.dueNs;
    }

    private QueueBacklog backlog(List<Run> before, BlockedInterval interval) {
        Map<LooperMessageRuns.Sender, Integer> senders = new LinkedHashMap<>();
        Map<String, Long> names = new LinkedHashMap<>();
        long ran = 0;
        for (Run run : before) {
            ran += slices.dur(run.row);
            names.merge(messages.name(run.row, run.send), slices.dur(run.row), Long::sum);
            LooperMessageRuns.Sender sender = messages.sender(run.row, run.send, interval.utid());
            if (sender != null) {
                senders.merge(sender, 1, Integer::sum);
            }
        }
        Map.Entry<LooperMessageRuns.Sender, Integer> most =
                senders.entrySet().stream().max(Map.Entry.comparingByValue()).orElse(null);
        String slowest = names.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
        return new QueueBacklog(
                before.size(),
                ran,
                most == null ? null : thread(most.getKey(), interval),
                most == null ? 0 : most.getValue(),
                slowest);
    }

    private ThreadRef thread(LooperMessageRuns.Sender sender, BlockedInterval interval) {
        return sender.utid() < 0
                ? ThreadRefFactory.notInTrace(ThreadRef.NOT_IN_TRACE, sender.name())
                : refs.during(sender.utid(), interval.startNs(), interval.endNs(), null);
    }

    /** {@return the messages before a waiting message; null if the wait is none of a message} */
    @Nullable
    public QueueBacklog of(BlockedInterval interval) {
        return interval.source() == this ? backlogs.get(interval.row()) : null;
    }

    @Override
    public Reason reason(BlockedInterval interval) {
        QueueBacklog backlog = backlogs.get(interval.row());
        return new Reason(
                WaitKind.QUEUE,
                messages.name(interval.row(), messages.send(interval.row())),
                null,
                backlog == null ? 0 : backlog.messages());
    }

    @Override
    public List<BlameInterval> blameIntervals(BlockedInterval interval) {
        return List.of(new BlameInterval(
                interval.startNs(), refs.namedOwner(interval.utid(), interval.startNs(), interval.endNs())));
    }
}

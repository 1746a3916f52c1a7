package dev.unjank.doctor.find.message;

import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.find.wait.BlameInterval;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Owner;
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
 * Waits of messages behind other messages of their looper. A message is due when it was sent, or as much later as it was to be delayed.
 *
 * <p>Messages that were due before the one before them was done make a row. It is a backlog if it has at least {@link
 * #LEAST_MESSAGES}, if they waited longer than they ran, all together, and if no single one ran for more than half of the
 * longest wait: then it is that message that was slow, and not the queue that was full. The wait is that of the message that
 * waited longest, from when it was due until it ran. A message whose sending the trace does not have is in the way of others and counts
 * as one that did not wait.
 */
public final class QueueWaits implements WaitSource {
    /** Fewer messages in a row are what a queue is for. */
    static final int LEAST_MESSAGES = 4;

    private final Slices slices;
    private final LooperMessageRuns messages;
    private final ThreadRefFactory refs;
    private final Map<BlockedInterval, QueueBacklog> found = new ConcurrentHashMap<>();

    /** A message that ran: its slice, when it was due, and the slice or mark of its being sent, -1 if not told. */
    private record Run(int row, long dueNs, int sending) {
        boolean isKnown() {
            return sending >= 0;
        }
    }

    public QueueWaits(Trace trace, ThreadRefFactory refs) {
        this.slices = trace.slices();
        this.messages = new LooperMessageRuns(trace, refs);
        this.refs = refs;
    }

    @Override
    public void find(int utid, Consumer<BlockedInterval> to) {
        if (!messages.hasRecordedSends()) {
            return;
        }
        List<Run> row = new ArrayList<>();
        long end = Long.MIN_VALUE;
        for (int slice = slices.first(utid); slice < slices.end(utid); slice++) {
            if (slices.ts(slice) >= end && LooperMessageRuns.isRun(slices, slice)) {
                Run run = run(slice);
                if (!row.isEmpty() && run.isKnown() && run.dueNs >= end) {
                    addBacklog(utid, row, to);
                    row.clear();
                }
                row.add(run);
                end = slices.endNs(slice);
            }
        }
        addBacklog(utid, row, to);
    }

    private Run run(int slice) {
        int sending = messages.sending(slice);
        return new Run(slice, sending < 0 ? slices.ts(slice) : messages.dueNs(slice, sending), sending);
    }

    private void addBacklog(int utid, List<Run> row, Consumer<BlockedInterval> to) {
        long waited = 0;
        long ran = 0;
        int worst = 0;
        for (int i = 0; i < row.size(); i++) {
            waited += waitOf(row.get(i));
            ran += slices.dur(row.get(i).row);
            worst = waitOf(row.get(i)) > waitOf(row.get(worst)) ? i : worst;
        }
        if (row.size() < LEAST_MESSAGES || waited <= ran) {
            return;
        }
        long longest = waitOf(row.get(worst));
        List<Run> before = new ArrayList<>();
        for (Run run : row.subList(0, worst)) {
            if (slices.endNs(run.row) > row.get(worst).dueNs) {
                before.add(run);
            }
        }
        boolean oneWasSlow = before.stream().anyMatch(run -> slices.dur(run.row) > longest / 2);
        if (longest >= WaitSource.MIN_WAIT_NS && before.size() >= LEAST_MESSAGES - 1 && !oneWasSlow) {
            Run last = row.get(worst);
            BlockedInterval interval =
                    new BlockedInterval(this, utid, last.row, last.dueNs, slices.ts(last.row), false);
            found.put(interval, backlog(before, interval));
            to.accept(interval);
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
            names.merge(messages.name(run.row, run.sending), slices.dur(run.row), Long::sum);
            LooperMessageRuns.Sender sender = messages.sender(run.row, run.sending, interval.utid());
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

    /** What was in the way of a message; null if the wait is none of a message. */
    @Nullable
    public QueueBacklog of(BlockedInterval interval) {
        return found.get(interval);
    }

    @Override
    public Reason reason(BlockedInterval interval) {
        QueueBacklog backlog = found.get(interval);
        return new Reason(
                WaitKind.QUEUE,
                messages.name(interval.row(), messages.sending(interval.row())),
                null,
                backlog == null ? 0 : backlog.messages());
    }

    @Override
    public List<BlameInterval> blameIntervals(BlockedInterval interval) {
        Owner looper = refs.ownerItself(interval);
        return List.of(new BlameInterval(interval.startNs(), new Owner(looper.thread(), null, Evidence.OWNER_NAMED)));
    }
}

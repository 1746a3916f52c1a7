package dev.unjank.doctor;

import dev.unjank.trace.Flows;
import dev.unjank.trace.QueueEvents;
import dev.unjank.trace.Slices;
import dev.unjank.trace.Strings;
import dev.unjank.trace.Trace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Waits of messages behind other messages of their looper. Slices of the category {@value #CATEGORY} are runs of messages; the
 * arrow into one leads from its sending, and its queue event tells for how long it was meant to wait. That is when it was due.
 *
 * <p>Messages that were due before the one before them was done make a row. It is a backlog if it has at least {@link
 * #LEAST_MESSAGES}, if they waited longer than they ran, all together, and if no single one ran for more than half of the
 * longest wait: then it is that message that was slow, and not the queue that was full. The wait is that of the message that
 * waited longest, from when it was due until it ran.
 */
final class Backlogs implements WaitSource {
    private static final String CATEGORY = "mq";

    /** Fewer messages in a row are what a queue is for. */
    static final int LEAST_MESSAGES = 4;

    private final Slices slices;
    private final Flows flows;
    private final QueueEvents events;
    private final ThreadRefs refs;
    private final boolean any;
    private final Map<Stall, Backlog> found = new ConcurrentHashMap<>();

    /** A message that ran: its slice, when it was due, and the slice or mark of its being sent, -1 if not told. */
    private record Run(int row, long dueNs, int sending) {}

    Backlogs(Trace trace, ThreadRefs refs) {
        this.slices = trace.slices();
        this.flows = trace.flows();
        this.events = trace.queueEvents();
        this.refs = refs;
        this.any = flows.size() > 0 && slices.columns().category().size() > 0 && tellsOfMessages(trace.strings());
    }

    private static boolean tellsOfMessages(Strings strings) {
        for (int id = 0; id < strings.size(); id++) {
            if (strings.get(id).equals(CATEGORY)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void find(int utid, Consumer<Stall> to) {
        if (!any) {
            return;
        }
        List<Run> row = new ArrayList<>();
        long end = Long.MIN_VALUE;
        for (int slice = slices.first(utid); slice < slices.end(utid); slice++) {
            if (slices.category(slice).equals(CATEGORY) && slices.dur(slice) > 0 && slices.ts(slice) >= end) {
                Run run = run(slice);
                if (!row.isEmpty() && run.dueNs >= end) {
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
        int arrow = flows.first(slice);
        if (arrow == flows.end(slice)) {
            return new Run(slice, slices.ts(slice), -1);
        }
        int sending = flows.out(arrow);
        int event = events.find(slice);
        long delay = event < 0 ? 0 : Math.max(0, events.delayMs(event)) * 1_000_000;
        return new Run(slice, Math.min(slices.ts(slice), slices.ts(sending) + delay), sending);
    }

    private void addBacklog(int utid, List<Run> row, Consumer<Stall> to) {
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
        if (longest >= Rules.LEAST_WAIT_NS && before.size() >= LEAST_MESSAGES - 1 && !oneWasSlow) {
            Run last = row.get(worst);
            Stall stall = new Stall(this, utid, last.row, last.dueNs, slices.ts(last.row), false);
            found.put(stall, backlog(before, stall));
            to.accept(stall);
        }
    }

    private long waitOf(Run run) {
        return slices.ts(run.row) - run.dueNs;
    }

    private Backlog backlog(List<Run> before, Stall stall) {
        Map<Integer, Integer> senders = new LinkedHashMap<>();
        Map<String, Long> names = new LinkedHashMap<>();
        long ran = 0;
        for (Run run : before) {
            ran += slices.dur(run.row);
            names.merge(slices.name(run.row), slices.dur(run.row), Long::sum);
            int sender = run.sending < 0 ? -1 : slices.utid(run.sending);
            if (sender >= 0) {
                senders.merge(sender, 1, Integer::sum);
            }
        }
        Map.Entry<Integer, Integer> most =
                senders.entrySet().stream().max(Map.Entry.comparingByValue()).orElse(null);
        String slowest = names.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
        return new Backlog(
                before.size(),
                ran,
                most == null ? null : refs.during(most.getKey(), stall.startNs(), stall.endNs(), null),
                most == null ? 0 : most.getValue(),
                slowest);
    }

    /** What was in the way of a message; null if the wait is none of a message. */
    @Nullable
    Backlog of(Stall stall) {
        return found.get(stall);
    }

    @Override
    public Reason reason(Stall stall) {
        Backlog backlog = found.get(stall);
        return new Reason(WaitKind.QUEUE, slices.name(stall.row()), null, backlog == null ? 0 : backlog.messages());
    }

    @Override
    public List<Claim> claims(Stall stall) {
        Owner looper = refs.self(stall);
        return List.of(new Claim(stall.startNs(), new Owner(looper.thread(), null, Evidence.OWNER_NAMED)));
    }
}

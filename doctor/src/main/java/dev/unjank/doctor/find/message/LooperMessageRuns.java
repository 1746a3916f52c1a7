package dev.unjank.doctor.find.message;

import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.model.GenericTerm;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.trace.model.Flows;
import dev.unjank.trace.model.MessageQueueEvents;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Strings;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The runs of messages by loopers: slices of the category {@value #CATEGORY}, each with a flow from the slice that sent
 * the message. Queue events describe both: Android records delay and code with the send and the sender's name with the
 * run, our recorder all with both.
 */
public final class LooperMessageRuns {
    public static final String CATEGORY = "mq";

    /** Android's name of every run. */
    private static final String RECEIVE = "message_queue_receive";

    private final Slices slices;
    private final Flows flows;
    private final MessageQueueEvents events;
    private final Threads threads;
    private final ThreadRefFactory refs;
    private final boolean hasRecordedSends;

    /**
     * The sender of a message.
     *
     * @param utid the thread, {@link ThreadRef#NOT_IN_TRACE} if it is not in the trace
     * @param name its name if it is not in the trace
     */
    record Sender(int utid, @Nullable String name) {}

    LooperMessageRuns(Trace trace, ThreadRefFactory refs) {
        this.slices = trace.slices();
        this.flows = trace.flows();
        this.events = trace.queueEvents();
        this.threads = trace.threads();
        this.refs = refs;
        this.hasRecordedSends =
                flows.size() > 0 && slices.columns().category().size() > 0 && hasMessages(trace.strings());
    }

    private static boolean hasMessages(Strings strings) {
        for (int id = 0; id < strings.size(); id++) {
            if (strings.get(id).equals(CATEGORY)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the trace may contain the send of any message. */
    boolean hasRecordedSends() {
        return hasRecordedSends;
    }

    /** {@return whether a slice is the run of a message} */
    public static boolean isRun(Slices slices, int row) {
        return slices.dur(row) > 0 && slices.category(row).equals(CATEGORY);
    }

    /** The slice that sent a message; -1 if not recorded. */
    int send(int run) {
        int flow = flows.first(run);
        return flow == flows.end(run) ? -1 : flows.out(flow);
    }

    /** The due time of a message, at most the start of its run. The recorded delay is in ms, rounded up. */
    long dueNs(int run, int send) {
        long delayMs = Math.max(delayMs(run), delayMs(send));
        long waitedNs = Math.max(0, slices.ts(run) - slices.ts(send));
        return delayMs > TimeUnit.NANOSECONDS.toMillis(waitedNs)
                ? slices.ts(run)
                : slices.ts(run) - waitedNs + TimeUnit.MILLISECONDS.toNanos(delayMs);
    }

    private long delayMs(int slice) {
        int event = events.find(slice);
        return event < 0 ? 0 : Math.max(0, events.delayMs(event));
    }

    /**
     * The sender of a message; null if unknown. Without a recorded send, the run may name a thread of the looper's
     * process.
     */
    @Nullable
    Sender sender(int run, int send, int looper) {
        int utid = send < 0 ? -1 : slices.utid(send);
        if (utid >= 0) {
            return new Sender(utid, null);
        }
        int event = events.find(run);
        String name = event < 0 ? null : events.sender(event);
        if (name == null) {
            return null;
        }
        int named = refs.onlyThreadNamed(name, threads.upid(looper), ThreadRef.NOT_IN_TRACE, slices.ts(run));
        return named < 0 ? new Sender(ThreadRef.NOT_IN_TRACE, name) : new Sender(named, null);
    }

    /** The name of a message: its handler, or without one in Android's slice, the slice that fills it, or its code. */
    String name(int run, int send) {
        String name = slices.name(run);
        if (!name.equals(RECEIVE)) {
            return name;
        }
        int inner = run + 1;
        boolean fills = inner < slices.size() && slices.parent(inner) == run && slices.dur(inner) > slices.dur(run) / 2;
        if (fills) {
            return slices.name(inner);
        }
        int event = send < 0 ? -1 : events.find(send);
        return event < 0 ? GenericTerm.MESSAGE.text() : GenericTerm.MESSAGE_WITH_CODE.text(events.code(event));
    }
}

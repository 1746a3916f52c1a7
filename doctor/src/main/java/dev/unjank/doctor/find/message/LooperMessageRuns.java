package dev.unjank.doctor.find.message;

import dev.unjank.doctor.find.thread.ThreadRefFactory;
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
 * The messages that loopers ran: slices of the category {@value #CATEGORY}. The arrow into one leads from its sending. Queue events
 * tell of both: Android puts the delay and the code on the sending and the sender's name on the run; our recorder puts all on both.
 */
public final class LooperMessageRuns {
    public static final String CATEGORY = "mq";

    /** What Android calls every run. */
    private static final String RECEIVE = "message_queue_receive";

    private final Slices slices;
    private final Flows flows;
    private final MessageQueueEvents events;
    private final Threads threads;
    private final ThreadRefFactory refs;
    private final boolean any;

    /**
     * Who sent a message, as far as that is told.
     *
     * @param utid the thread, {@link ThreadRef#NOT_IN_TRACE} if no thread of the trace is known to be meant
     * @param name its name where there is nothing else
     */
    record Sender(int utid, @Nullable String name) {}

    LooperMessageRuns(Trace trace, ThreadRefFactory refs) {
        this.slices = trace.slices();
        this.flows = trace.flows();
        this.events = trace.queueEvents();
        this.threads = trace.threads();
        this.refs = refs;
        this.any = flows.size() > 0 && slices.columns().category().size() > 0 && hasMessages(trace.strings());
    }

    private static boolean hasMessages(Strings strings) {
        for (int id = 0; id < strings.size(); id++) {
            if (strings.get(id).equals(CATEGORY)) {
                return true;
            }
        }
        return false;
    }

    /** Whether it is known of any message when it was sent. */
    boolean hasRecordedSends() {
        return any;
    }

    /** Whether a slice is the run of a message. */
    public static boolean isRun(Slices slices, int row) {
        return slices.dur(row) > 0 && slices.category(row).equals(CATEGORY);
    }

    /** The slice or mark of a message's being sent; -1 if the trace does not have it. */
    int sending(int run) {
        int arrow = flows.first(run);
        return arrow == flows.end(run) ? -1 : flows.out(arrow);
    }

    /** When a message was to run, at the latest when it did. The delay is told in whole milliseconds and not less than it was. */
    long dueNs(int run, int sending) {
        long delayMs = Math.max(delayMs(run), delayMs(sending));
        long waitedNs = Math.max(0, slices.ts(run) - slices.ts(sending));
        return delayMs > TimeUnit.NANOSECONDS.toMillis(waitedNs)
                ? slices.ts(run)
                : slices.ts(run) - waitedNs + TimeUnit.MILLISECONDS.toNanos(delayMs);
    }

    private long delayMs(int slice) {
        int event = events.find(slice);
        return event < 0 ? 0 : Math.max(0, events.delayMs(event));
    }

    /** Who sent a message; null if nothing tells. Where its sending is lost, its run may still name a thread of the looper's process. */
    @Nullable
    Sender sender(int run, int sending, int looper) {
        int utid = sending < 0 ? -1 : slices.utid(sending);
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

    /** What a message is called: by its handler, or where Android's slice does not say that, by what ran in it, or by its code. */
    String name(int run, int sending) {
        String name = slices.name(run);
        if (!name.equals(RECEIVE)) {
            return name;
        }
        int inner = run + 1;
        boolean fills = inner < slices.size() && slices.parent(inner) == run && slices.dur(inner) > slices.dur(run) / 2;
        if (fills) {
            return slices.name(inner);
        }
        int event = sending < 0 ? -1 : events.find(sending);
        return event < 0 ? "message" : "message " + events.code(event);
    }
}

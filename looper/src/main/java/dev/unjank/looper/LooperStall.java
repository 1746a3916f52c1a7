package dev.unjank.looper;

import dev.unjank.looper.util.Durations;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * An immutable report of a {@link LooperWatchdog}: a looper is stalled, or a stall has ended.
 *
 * @param kind the kind of the stall
 * @param looper the looper
 * @param nanos the duration so far, or the total duration if the stall is over, on the looper's clock
 * @param over true if this reports the end of a previously reported stall
 * @param cause the delivery; or the number of due messages and their most frequent kind; or the barrier
 * @param threads the looper's thread, the owner of the lock that it waits for, the owner of the lock that this owner
 *     waits for, and so on; empty if the stall is over, or ended during the check
 * @param postedAt the stack of the thread that posted the barrier, the innermost call first; empty if there is no
 *     barrier, or if it was posted before the looper was watched
 * @param remark a deadlock, or a fact that could not be determined and the reason; may be empty
 */
public record LooperStall(
        Kind kind,
        Looper looper,
        long nanos,
        boolean over,
        String cause,
        List<ThreadSnapshot> threads,
        List<StackTraceElement> postedAt,
        String remark) {

    /** The kind of a stall. */
    public enum Kind {
        /** One delivery runs too long. */
        DELIVERY,
        /** Due messages wait too long, although no single delivery runs too long. */
        BACKLOG,
        /** A sync barrier stays in the queue too long. */
        BARRIER
    }

    /** Copies the lists. */
    public LooperStall {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(looper, "looper");
        Objects.requireNonNull(cause, "cause");
        Objects.requireNonNull(remark, "remark");
        threads = List.copyOf(Objects.requireNonNull(threads, "threads"));
        postedAt = List.copyOf(Objects.requireNonNull(postedAt, "postedAt"));
    }

    /** Returns one line, followed by the stacks in the form of a thread dump unless the stall is over. */
    @Override
    public String toString() {
        StringBuilder b = new StringBuilder()
                .append("looper ")
                .append(MessageDescription.name(looper.getThread()))
                .append(over ? " is no longer stalled by a " : " is stalled by a ")
                .append(kind.name().toLowerCase(Locale.ROOT))
                .append(over ? ", after " : ", for ")
                .append(Durations.text(nanos))
                .append(": ")
                .append(cause);
        if (!postedAt.isEmpty()) {
            b.append("\n  posted");
            ThreadSnapshot.appendStack(b, postedAt);
        }
        for (ThreadSnapshot thread : threads) {
            b.append("\n  ").append(thread);
        }
        return remark.isEmpty() ? b.toString() : b.append("\n  ").append(remark).toString();
    }
}

package dev.unjank.looper;

import dev.unjank.looper.util.Durations;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * A report of a {@link LooperWatchdog}: a looper is stalled, or a stall has ended. Immutable.
 *
 * @param kind the kind of the stall
 * @param looper the looper
 * @param nanos the duration so far, or in total if it is over, on the looper's clock
 * @param over true if this reports the end of a stall that was reported before
 * @param cause the delivery; or how many messages are due and what most of them are; or the barrier
 * @param threads the looper's thread, the owner of the lock it waits for, the owner of the lock that thread waits for,
 *     and so on; empty if the stall is over, or ended while it was examined
 * @param postedAt where the barrier was posted, the innermost call first; empty if there is none, or if it was posted
 *     before the looper was watched
 * @param remark further facts: a deadlock, or what could not be determined and why; empty if none
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
        /** Messages are due and wait too long, though no single delivery runs too long. */
        BACKLOG,
        /** A sync barrier stays too long. */
        BARRIER
    }

    /** The lists are copied. */
    public LooperStall {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(looper, "looper");
        Objects.requireNonNull(cause, "cause");
        Objects.requireNonNull(remark, "remark");
        threads = List.copyOf(Objects.requireNonNull(threads, "threads"));
        postedAt = List.copyOf(Objects.requireNonNull(postedAt, "postedAt"));
    }

    /** One line if it is over; otherwise also the stacks, in the form of a thread dump. */
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

package dev.unjank.looper;

import dev.unjank.looper.util.Durations;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * What a {@link LooperWatchdog} reports: a looper that does not get on, or one that gets on again. Immutable.
 *
 * @param kind what keeps it
 * @param looper the looper
 * @param nanos for how long so far, or in all if it is over, on the looper's clock
 * @param over true if this reports the end of a stall that was reported before
 * @param cause what the looper is at: the delivery; or how many messages are due and what most of them are; or the barrier
 * @param threads the looper's thread, the owner of what it waits for, the owner of what that one waits for, and so on;
 *     empty if the stall is over, or ended while it was looked at
 * @param postedAt where the barrier was posted, the innermost call first; empty if there is none, or if it was posted
 *     before the watchdog came
 * @param remark what else is to be known: that the threads wait for each other, or what could not be found out and why;
 *     empty if nothing
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

    /** What keeps a looper. */
    public enum Kind {
        /** One delivery takes too long. */
        DELIVERY,
        /** Messages are due and wait too long, though no single delivery takes too long. */
        BACKLOG,
        /** A barrier stands too long. */
        BARRIER
    }

    /** Makes a report; the lists are copied. */
    public LooperStall {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(looper, "looper");
        Objects.requireNonNull(cause, "cause");
        Objects.requireNonNull(remark, "remark");
        threads = List.copyOf(Objects.requireNonNull(threads, "threads"));
        postedAt = List.copyOf(Objects.requireNonNull(postedAt, "postedAt"));
    }

    /** For people: a line if it is over; otherwise also the stacks, as a thread dump has them. */
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

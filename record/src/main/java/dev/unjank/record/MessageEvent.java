package dev.unjank.record;

import org.jspecify.annotations.Nullable;

/** A send or a delivery of a message, queued for the writer thread. */
sealed interface MessageEvent {
    /**
     * The send of a message. The message carries it as a note to its delivery.
     *
     * @param ts its time in ns
     * @param sender the sending thread
     * @param receiver the name of the looper's thread
     * @param flow the id of the flow from send to delivery
     * @param what the message code
     * @param delayMs the delay requested at the send
     */
    record Send(long ts, ThreadIdentity sender, String receiver, long flow, int what, long delayMs)
            implements MessageEvent {}

    /** The delivery of a message, recorded when it ends. */
    final class Run implements MessageEvent {
        final long start;
        final ThreadIdentity looper;
        final String name;
        final int what;
        final @Nullable Send send;

        /** The enclosing delivery, null if there is none. */
        final @Nullable Run outer;

        /** Written by the looper thread before it records this event. */
        long end;

        /** Whether the trace contains it. Accessed only by the writer. */
        boolean written;

        Run(long start, ThreadIdentity looper, String name, int what, @Nullable Send send, @Nullable Run outer) {
            this.start = start;
            this.looper = looper;
            this.name = name;
            this.what = what;
            this.send = send;
            this.outer = outer;
        }
    }
}

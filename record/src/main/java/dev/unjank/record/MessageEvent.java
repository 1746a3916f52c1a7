package dev.unjank.record;

import org.jspecify.annotations.Nullable;

/** An event of a message, for the writer thread. */
sealed interface MessageEvent {
    /**
     * A message is sent. The message carries it as a note to its delivery.
     *
     * @param ts when
     * @param sender by whom
     * @param receiver whose looper it is for
     * @param flow the message's number
     * @param what its code
     * @param delayMs its delay when it was sent
     */
    record Send(long ts, ThreadIdentity sender, String receiver, long flow, int what, long delayMs)
            implements MessageEvent {}

    /** A message is delivered; recorded when the delivery ends. */
    final class Run implements MessageEvent {
        final long start;
        final ThreadIdentity looper;
        final String name;
        final int what;
        final @Nullable Send send;

        /** The enclosing delivery, null if there is none. */
        final @Nullable Run outer;

        /** Written by the looper before it records this. */
        long end;

        /** Whether it is in the trace. The writer's. */
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

package dev.unjank.workbench.soak;

import dev.unjank.looper.Handler;
import dev.unjank.looper.Message;
import org.jspecify.annotations.Nullable;

/**
 * The record of one message of a {@link ConcurrentRound}. Each field is written by one thread: the sender, the looper
 * or the canceller; fields are read after all of these have ended.
 */
final class SentMessage {
    final LooperLifetime generation;
    final int sender;
    final int number;
    final Handler handler;
    final int what;
    final @Nullable Object token;
    final @Nullable Runnable callback;
    final boolean asynchronous;

    // the sender
    long sendStart;
    long sendEnd;
    boolean accepted;
    volatile @Nullable Message message;

    /** The due time that the handler passed on. */
    long when;

    /** An action of the message's run that makes it slow. */
    @Nullable
    Runnable errand;

    // the looper
    int runs;
    /**
     * The earliest possible time at which it was chosen: the end of the previous run, its due time, or the start of
     * sending.
     */
    long notChosenBefore;

    long runStart;
    /** Whether it has run, for waiting threads. */
    volatile boolean done;

    // the cancelling threads; only one of them succeeds
    volatile boolean cancelled;

    // the end of the round
    /** Whether it was pending at the end. */
    boolean pending;

    SentMessage(
            LooperLifetime generation,
            int sender,
            int number,
            Handler handler,
            int what,
            @Nullable Object token,
            @Nullable Runnable callback,
            boolean asynchronous) {
        this.generation = generation;
        this.sender = sender;
        this.number = number;
        this.handler = handler;
        this.what = what;
        this.token = token;
        this.callback = callback;
        this.asynchronous = asynchronous;
    }

    boolean isFront() {
        return when == 0;
    }

    @Override
    public String toString() {
        return "message " + sender + "/" + number + " of generation " + generation.number + " {when=" + when + " what="
                + what + (asynchronous ? " async" : "") + (callback == null ? "" : " callback") + " token=" + token
                + " sent=" + sendStart + ".." + sendEnd + " accepted=" + accepted + " runs=" + runs
                + (runs > 0 ? " chosen=" + notChosenBefore + ".." + runStart : "") + (cancelled ? " cancelled" : "")
                + (pending ? " pending" : "") + "}";
    }
}

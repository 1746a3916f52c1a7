package dev.unjank.workbench.soak;

import dev.unjank.looper.Handler;
import dev.unjank.looper.Message;
import org.jspecify.annotations.Nullable;

/**
 * The record of one message of a {@link ConcurrentRound}. Each field is written by one thread: the sender's, the looper's, or the
 * one that cancels it; they are read when all of these have ended.
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

    /** Its time, as the handler handed it on. */
    long when;

    /** What its run does, so that it takes long. */
    @Nullable
    Runnable errand;

    // the looper
    int runs;
    /** When it had not been chosen yet for certain: the end of the run before, or its own time, or the beginning of its sending. */
    long notChosenBefore;

    long runStart;
    /** For those who wait for the run. */
    volatile boolean done;

    // the cancelling threads; only one of them succeeds
    volatile boolean cancelled;

    // the end of the round
    /** Waited in the queue to the last. */
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

package dev.unjank.workbench.soak;

import dev.unjank.looper.Handler;
import org.jspecify.annotations.Nullable;

/** Calls of a {@link ConcurrentRound} with their begin and end times, checked after the round. */
final class TimedCalls {
    private TimedCalls() {}

    /**
     * The criteria of a removal or a query.
     *
     * @param what the code, or null for any
     * @param callback the Runnable, or null for any
     * @param token the token, or null for any
     */
    record Match(
            Handler handler,
            @Nullable Integer what,
            @Nullable Runnable callback,
            @Nullable Object token) {
        @SuppressWarnings("ReferenceEquality") // all of these are compared by identity
        boolean matches(SentMessage sent) {
            return sent.handler == handler
                    && (what == null || sent.what == what)
                    && (callback == null || sent.callback == callback)
                    && (token == null || sent.token == token);
        }
    }

    record Removal(int thread, Match match, long start, long end) {}

    /** A query and its result. */
    record Question(Match match, boolean answer, long start, long end) {}

    /** A barrier, posted between the first two times and removed between the last two. */
    record Barrier(long postStart, long postEnd, long removeStart, long removeEnd) {}
}

package dev.unjank.record.agent;

/** A token bucket rate limiter. Not thread-safe. */
final class TokenBucket {
    private final long nanosPerToken;
    private final long fullNanos;

    /** The saved tokens, as time. */
    private long saved;

    private long last;
    private boolean begun;

    TokenBucket(int tokens, long periodNanos) {
        nanosPerToken = periodNanos / tokens;
        fullNanos = nanosPerToken * tokens;
        saved = fullNanos;
    }

    /** Takes a token if there is one. */
    boolean take(long now) {
        saved = begun ? Math.min(fullNanos, saved + Math.max(0, now - last)) : fullNanos;
        begun = true;
        last = now;
        if (saved < nanosPerToken) {
            return false;
        }
        saved -= nanosPerToken;
        return true;
    }
}

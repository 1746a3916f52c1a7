package dev.unjank.record.jvm;

import dev.unjank.record.agent.AgentProtocol;
import org.jspecify.annotations.Nullable;

/**
 * A thread that waits for a lock that another thread holds.
 *
 * @param isMonitor true for a monitor, false for a lock of {@code java.util.concurrent}
 * @param site the owner's current method, such as {@code app.Cache.load  Cache.java:17}; null if its stack was not
 *     taken
 * @param sinceNs when the wait was first seen, by {@link System#nanoTime}
 */
public record BlockedThread(
        ThreadRef waiter,
        ThreadRef owner,
        boolean isMonitor,
        String lock,
        @Nullable String site,
        long sinceNs) {
    private static final int UNKNOWN = -1;

    /**
     * A thread.
     *
     * @param javaId its {@link Thread#threadId}
     * @param tid its kernel thread id, -1 while unknown
     * @param name its name, a placeholder while unknown
     */
    public record ThreadRef(long javaId, int tid, String name) {
        private static ThreadRef of(long javaId, JavaThreads threads) {
            LockSliceNames.Owner known = threads.owner(javaId);
            return known == null
                    ? new ThreadRef(javaId, UNKNOWN, "Java thread " + javaId)
                    : new ThreadRef(javaId, known.tid(), known.name());
        }
    }

    static BlockedThread of(LockOwnerSample sample, JavaThreads threads) {
        String site = sample.site();
        return new BlockedThread(
                ThreadRef.of(sample.waiter(), threads),
                ThreadRef.of(sample.owner(), threads),
                sample.how() == AgentProtocol.MONITOR,
                sample.lock(),
                site == null ? null : withoutTypes(site),
                sample.since());
    }

    /** Shortens {@code void app.Cache.load(int)(Cache.java:17)} by its types. */
    static @Nullable String withoutTypes(String site) {
        int method = site.indexOf(' ') + 1;
        int types = site.indexOf('(', method);
        int file = site.lastIndexOf('(');
        return types < 0 || file <= types || !site.endsWith(")") || site.equals(LockSliceNames.UNKNOWN_SITE)
                ? null
                : site.substring(method, types) + "  " + site.substring(file + 1, site.length() - 1);
    }
}

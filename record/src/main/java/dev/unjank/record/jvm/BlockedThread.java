package dev.unjank.record.jvm;

import dev.unjank.record.agent.AgentProtocol;
import org.jspecify.annotations.Nullable;

/**
 * A thread that waits for a lock which another one has.
 *
 * @param waiter who waits
 * @param owner who has the lock
 * @param isMonitor whether it is a monitor, not a lock of {@code java.util.concurrent}
 * @param lock the class of the lock
 * @param site where the owner is, such as {@code app.Cache.load  Cache.java:17}; null if that was not looked at
 * @param sinceNs when the wait was first seen, by {@link System#nanoTime}
 */
public record BlockedThread(
        Someone waiter,
        Someone owner,
        boolean isMonitor,
        String lock,
        @Nullable String site,
        long sinceNs) {
    private static final int UNKNOWN = -1;

    /**
     * A thread.
     *
     * @param javaId its number in Java
     * @param tid its number in the operating system, -1 as long as that is not known
     * @param name its name, and before that is known what stands for it
     */
    public record Someone(long javaId, int tid, String name) {
        private static Someone of(long javaId, JavaThreads threads) {
            LockSliceNames.Owner known = threads.owner(javaId);
            return known == null
                    ? new Someone(javaId, UNKNOWN, "Java thread " + javaId)
                    : new Someone(javaId, known.tid(), known.name());
        }
    }

    static BlockedThread of(LockOwnerSample sighting, JavaThreads threads) {
        String site = sighting.site();
        return new BlockedThread(
                Someone.of(sighting.waiter(), threads),
                Someone.of(sighting.owner(), threads),
                sighting.how() == AgentProtocol.MONITOR,
                sighting.lock(),
                site == null ? null : withoutTypes(site),
                sighting.since());
    }

    /** {@code void app.Cache.load(int)(Cache.java:17)} without what a person can do without. */
    static @Nullable String withoutTypes(String site) {
        int method = site.indexOf(' ') + 1;
        int types = site.indexOf('(', method);
        int file = site.lastIndexOf('(');
        return types < 0 || file <= types || !site.endsWith(")") || site.equals(LockSliceNames.UNKNOWN_SITE)
                ? null
                : site.substring(method, types) + "  " + site.substring(file + 1, site.length() - 1);
    }
}

package dev.unjank.looper;

import dev.unjank.looper.util.Nullable;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;

/**
 * A chain of blocked threads: a thread, the owner of the lock that it waits for, the owner of the lock that this owner
 * waits for, and so on.
 *
 * @param threads the thread first; not empty
 * @param remark a deadlock, or a fact that could not be determined and the reason; may be empty
 */
record WaitChain(List<ThreadSnapshot> threads, String remark) {
    private static final boolean MANAGEMENT =
            ModuleLayer.boot().findModule("java.management").isPresent();

    /**
     * Takes a snapshot of a thread and of the threads it waits for. This stops them for a moment, but takes none of
     * their locks.
     */
    static WaitChain of(Thread thread) {
        if (!MANAGEMENT) {
            return alone(thread, "The module java.management is missing: owners of locks are unknown.");
        }
        WaitChain chain = LockOwners.chainOf(thread);
        // ThreadMXBean supports neither virtual threads nor threads that have ended
        return chain != null
                ? chain
                : alone(thread, thread.isAlive() ? "The lock that a virtual thread waits for is unknown." : "");
    }

    private static WaitChain alone(Thread thread, String remark) {
        return new WaitChain(
                List.of(new ThreadSnapshot(
                        MessageDescription.name(thread),
                        thread.getState(),
                        null,
                        null,
                        List.of(thread.getStackTrace()))),
                thread.isAlive() ? remark : "The thread has ended.");
    }

    /**
     * The part that needs the module java.management; a separate class, which is loaded only if that module is present.
     */
    private static final class LockOwners {
        private static final int LONGEST = 8;

        static @Nullable WaitChain chainOf(Thread thread) {
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            List<ThreadSnapshot> chain = new ArrayList<>();
            List<Long> seen = new ArrayList<>();
            long id = thread.getId();
            while (id >= 0 && chain.size() < LONGEST) {
                if (seen.contains(id)) {
                    return new WaitChain(chain, "Deadlock: these threads wait for each other.");
                }
                seen.add(id);
                ThreadInfo info = threads.getThreadInfo(id, Integer.MAX_VALUE);
                if (info == null) {
                    break;
                }
                chain.add(new ThreadSnapshot(
                        info.getThreadName(),
                        info.getThreadState(),
                        info.getLockName(),
                        info.getLockOwnerName(),
                        List.of(info.getStackTrace())));
                id = info.getLockOwnerId();
            }
            return chain.isEmpty() ? null : new WaitChain(chain, "");
        }
    }
}

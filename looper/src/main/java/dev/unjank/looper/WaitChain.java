package dev.unjank.looper;

import dev.unjank.looper.util.Nullable;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;

/**
 * A thread, the owner of what it waits for, and so on.
 *
 * @param threads the thread first; not empty
 * @param remark what is to be said about it, or nothing
 */
record WaitChain(List<ThreadSnapshot> threads, String remark) {
    private static final boolean MANAGEMENT =
            ModuleLayer.boot().findModule("java.management").isPresent();

    /** Takes a picture of a thread and of those it waits for. Stops them for a moment, but takes no lock of theirs. */
    static WaitChain of(Thread thread) {
        if (!MANAGEMENT) {
            return alone(thread, "The module java.management is missing, so nothing is known about owners of locks.");
        }
        WaitChain chain = LockOwners.chainOf(thread);
        // the virtual machine's management knows neither virtual threads nor those that have ended
        return chain != null
                ? chain
                : alone(thread, thread.isAlive() ? "Of a virtual thread it is not known what it waits for." : "");
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

    /** The part that needs the module java.management: a class of its own, loaded only where there is one. */
    private static final class LockOwners {
        private static final int LONGEST = 8;

        static @Nullable WaitChain chainOf(Thread thread) {
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            List<ThreadSnapshot> chain = new ArrayList<>();
            List<Long> seen = new ArrayList<>();
            long id = thread.getId();
            while (id >= 0 && chain.size() < LONGEST) {
                if (seen.contains(id)) {
                    return new WaitChain(chain, "They wait for each other: a deadlock.");
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

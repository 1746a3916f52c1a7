package dev.unjank.record.jvm;

import dev.unjank.record.session.TraceSink;
import dev.unjank.trace.read.jfr.JfrChunks;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The target's Java threads by {@link Thread#threadId}, with the kernel thread ids that Flight Recorder reports.
 * Bounded; thread-safe.
 */
final class JavaThreads {
    private static final int MOST = 1 << 16;

    private final int pid;
    private final Map<Long, JfrChunks.JavaThread> threads = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, JfrChunks.JavaThread> eldest) {
            return size() > MOST;
        }
    };

    JavaThreads(int pid) {
        this.pid = pid;
    }

    /**
     * Adds the threads of a chunk, and names new and renamed ones in the trace; virtual threads again, since the trace
     * forgets them.
     */
    synchronized void add(List<JfrChunks.JavaThread> chunkThreads, TraceSink sink) {
        for (JfrChunks.JavaThread thread : chunkThreads) {
            boolean isKnown = thread.equals(threads.put(thread.javaId(), thread));
            if ((!isKnown || thread.isVirtual()) && !thread.name().isEmpty()) {
                sink.thread(pid, thread.tid(), thread.name());
            }
        }
    }

    /** A thread as an owner; null if unknown. */
    synchronized LockSliceNames.@Nullable Owner owner(long javaId) {
        JfrChunks.JavaThread thread = threads.get(javaId);
        return thread == null ? null : new LockSliceNames.Owner(thread.name(), thread.tid());
    }

    /** The kernel thread id of a thread; -1 if unknown. */
    synchronized int tid(long javaId) {
        JfrChunks.JavaThread thread = threads.get(javaId);
        return thread == null ? -1 : thread.tid();
    }

    /** The Java id of the latest thread with a kernel thread id; -1 if unknown. */
    synchronized long javaId(int tid) {
        long found = -1;
        for (JfrChunks.JavaThread thread : threads.values()) {
            found = thread.tid() == tid ? Math.max(found, thread.javaId()) : found;
        }
        return found;
    }
}

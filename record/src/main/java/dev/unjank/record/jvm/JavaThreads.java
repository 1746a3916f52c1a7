package dev.unjank.record.jvm;

import dev.unjank.record.session.TraceSink;
import dev.unjank.trace.read.jfr.JfrChunks;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The target's threads, by their numbers in Java. Flight Recorder tells which number each has in the operating system. Bounded; any
 * thread.
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

    /** Takes what a chunk knows, and names threads that are new or have another name; virtual ones again, or they would be forgotten. */
    synchronized void add(List<JfrChunks.JavaThread> told, TraceSink sink) {
        for (JfrChunks.JavaThread thread : told) {
            boolean isKnown = thread.equals(threads.put(thread.javaId(), thread));
            if ((!isKnown || thread.isVirtual()) && !thread.name().isEmpty()) {
                sink.thread(pid, thread.tid(), thread.name());
            }
        }
    }

    /** A thread as an owner; null if its number is not known. */
    synchronized LockSliceNames.@Nullable Owner owner(long javaId) {
        JfrChunks.JavaThread thread = threads.get(javaId);
        return thread == null ? null : new LockSliceNames.Owner(thread.name(), thread.tid());
    }

    /** The number of a thread in the operating system; -1 if it is not known. */
    synchronized int tid(long javaId) {
        JfrChunks.JavaThread thread = threads.get(javaId);
        return thread == null ? -1 : thread.tid();
    }

    /** The number in Java of the thread that has a number in the operating system now; -1 if it is not known. */
    synchronized long javaId(int tid) {
        long found = -1;
        for (JfrChunks.JavaThread thread : threads.values()) {
            found = thread.tid() == tid ? Math.max(found, thread.javaId()) : found;
        }
        return found;
    }
}

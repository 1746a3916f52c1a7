package dev.unjank.trace.read.jfr;

import dev.unjank.trace.build.TraceBuilder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a recording, across its chunks. A thread is identified by its ids in the operating system and in
 * Java, since the former is reused. Virtual threads have no id in the operating system and get one from 2^30 on,
 * which no kernel assigns.
 */
final class JfrThreads {
    /** Stands for no thread. */
    static final int NONE = -1;

    static final int FIRST_VIRTUAL = 1 << 30;

    private record Identity(long osId, long javaId) {}

    /** The name of a thread, and the time in which it had events; threads are few. */
    private static final class ThreadTimes {
        final int tid;
        String name;
        long firstNs = Long.MAX_VALUE;
        long lastNs = Long.MIN_VALUE;
        boolean hasStart;
        boolean hasEnd;

        ThreadTimes(int tid, String name) {
            this.tid = tid;
            this.name = name;
        }
    }

    private final Map<Identity, Integer> numbers = new HashMap<>();
    private final List<ThreadTimes> threads = new ArrayList<>();

    /** Adds a thread and returns its number. */
    int add(long osId, long javaId, @Nullable String osName, @Nullable String javaName) {
        String name = javaName != null && !javaName.isEmpty() ? javaName : osName == null ? "" : osName;
        Integer number = numbers.computeIfAbsent(new Identity(osId, javaId), id -> {
            threads.add(new ThreadTimes(tid(id.osId, id.javaId), name));
            return threads.size() - 1;
        });
        if (!name.isEmpty()) {
            threads.get(number).name = name;
        }
        return number;
    }

    /** The tid of a thread in a trace, from its ids in the operating system (0 if it has none) and in Java. */
    static int tid(long osId, long javaId) {
        return osId > 0 && osId < FIRST_VIRTUAL
                ? (int) osId
                : FIRST_VIRTUAL | ((int) (osId > 0 ? osId : javaId) & (FIRST_VIRTUAL - 1));
    }

    int tid(int thread) {
        return threads.get(thread).tid;
    }

    String name(int thread) {
        return threads.get(thread).name;
    }

    /** The number of the first thread with a name, {@link #NONE} if there is none. */
    int named(String name) {
        for (int thread = 0; thread < threads.size(); thread++) {
            if (threads.get(thread).name.equals(name)) {
                return thread;
            }
        }
        return NONE;
    }

    /** The time of the first event of a thread; {@link Long#MIN_VALUE} if it has none. */
    long firstNs(int thread) {
        long ns = threads.get(thread).firstNs;
        return ns == Long.MAX_VALUE ? Long.MIN_VALUE : ns;
    }

    /** Records that a thread existed at a time. */
    void firstSeen(int thread, long ns) {
        ThreadTimes times = threads.get(thread);
        times.firstNs = Math.min(times.firstNs, ns);
        times.lastNs = Math.max(times.lastNs, ns);
    }

    /** Records the start of a thread. */
    void started(int thread, long ns) {
        firstSeen(thread, ns);
        threads.get(thread).hasStart = true;
    }

    /** Records the end of a thread. */
    void ended(int thread, long ns) {
        firstSeen(thread, ns);
        threads.get(thread).hasEnd = true;
    }

    /**
     * Adds all threads with events to the builder, with their starts and ends; if a tid was reused, its previous
     * thread ended. A recorded start or end is moved to the first or last event of its thread if that lies outside.
     */
    void emitTo(TraceBuilder builder, int pid) {
        int[] order = IntStream.range(0, threads.size())
                .filter(thread -> threads.get(thread).firstNs != Long.MAX_VALUE)
                .boxed()
                .sorted(Comparator.comparingInt((Integer thread) -> threads.get(thread).tid)
                        .thenComparingLong(thread -> threads.get(thread).firstNs))
                .mapToInt(Integer::intValue)
                .toArray();
        ThreadTimes before = null;
        for (int thread : order) {
            ThreadTimes times = threads.get(thread);
            boolean isReused = before != null && before.tid == times.tid;
            if (before != null && isReused && before.lastNs < times.firstNs) {
                builder.kernel().taskEnd(before.lastNs + 1, before.tid);
            } else if (before != null && !isReused) {
                end(before, builder, pid);
            }
            int name = times.name.isEmpty() ? -1 : builder.intern(times.name);
            if (times.hasStart) {
                builder.kernel().threadStart(times.firstNs, times.tid, pid, name);
            } else {
                builder.kernel().nameThread(times.firstNs, times.tid, pid, name);
            }
            before = times;
        }
        if (before != null) {
            end(before, builder, pid);
        }
    }

    private static void end(ThreadTimes its, TraceBuilder builder, int pid) {
        if (its.hasEnd) {
            builder.kernel().threadEnd(its.lastNs, its.tid, pid);
        }
    }
}

package dev.unjank.trace.read.jfr;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The threads that the chunks of a run have named so far. A chunk names the threads that live; an event of it may refer to one that
 * has ended since, as the delivery of a message does to its sender. Who reads the chunks of a run one by one hands the same object
 * to each. One thread's.
 */
public final class EarlierChunkThreads {
    /** More than that are forgotten, the oldest first: a server may start threads for as long as it runs. */
    private static final int MOST = 1 << 16;

    /** What a chunk says of a thread. */
    record Named(
            long osId,
            long javaId,
            @Nullable String osName,
            @Nullable String javaName) {}

    private final Map<Long, Named> threads = new LinkedHashMap<>();

    /** None yet. */
    public EarlierChunkThreads() {}

    /** A chunk names a thread by a number that means the same in every chunk of the run. */
    void put(long key, Named thread) {
        threads.put(key, thread);
        if (threads.size() > MOST) {
            threads.remove(threads.keySet().iterator().next());
        }
    }

    /** What an earlier chunk said of a thread, null if none did. */
    @Nullable
    Named get(long key) {
        return threads.get(key);
    }
}

package dev.unjank.trace.read.jfr;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The threads that earlier chunks of a run have named. A chunk names the live threads; its events may refer to a
 * thread that has ended, for example to the sender of a message. Readers of single chunks pass the same object to
 * each. Not thread-safe.
 */
public final class EarlierChunkThreads {
    /** The limit of threads; the oldest are removed first, since a server may start threads without end. */
    private static final int MAX_THREADS = 1 << 16;

    /** A chunk's description of a thread. */
    record Named(
            long osId,
            long javaId,
            @Nullable String osName,
            @Nullable String javaName) {}

    private final Map<Long, Named> threads = new LinkedHashMap<>();

    /** Creates an empty set of threads. */
    public EarlierChunkThreads() {}

    /** Adds a thread under its key, which is the same in every chunk of the run. */
    void put(long key, Named thread) {
        threads.put(key, thread);
        if (threads.size() > MAX_THREADS) {
            threads.remove(threads.keySet().iterator().next());
        }
    }

    /** The description of a thread by an earlier chunk, null if there is none. */
    @Nullable
    Named get(long key) {
        return threads.get(key);
    }
}

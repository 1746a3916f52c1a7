package dev.unjank.doctor.judge;

import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.cause.ThreadGroupRef;
import dev.unjank.trace.collections.LongOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The threads of one role with their times. */
final class ThreadTotals {
    private final Map<Object, Total> threads = new LinkedHashMap<>();

    private static final class Total {
        private ThreadRef thread;
        private long longestNs;
        private long ns;

        Total(ThreadRef thread) {
            this.thread = thread;
        }
    }

    void add(ThreadRef thread, long ns) {
        Object key = thread.isInTrace() ? thread.utid() : thread.tid() + " " + thread.name();
        Total total = threads.computeIfAbsent(key, _ -> new Total(thread));
        total.ns += ns;
        if (ns > total.longestNs) {
            total.longestNs = ns;
            total.thread = thread;
        }
    }

    long ns() {
        return threads.values().stream().mapToLong(total -> total.ns).sum();
    }

    /** {@return the threads under the names of all their groups} */
    ThreadGroupRef allGroups() {
        ThreadGroupRef largest = group();
        String names = threads.values().stream()
                .map(total -> ThreadGroupName.of(total.thread))
                .distinct()
                .collect(Collectors.joining(", "));
        return threads.size() == 1 ? largest : new ThreadGroupRef(names, largest.longest(), largest.threads());
    }

    /** {@return the threads under one name; there is at least one} */
    ThreadGroupRef group() {
        ThreadRef longest = threads.values().stream()
                .max(LongOrder.ascending(total -> total.ns))
                .orElseThrow()
                .thread;
        String name = longest.name() == null ? "" : longest.name();
        return new ThreadGroupRef(threads.size() == 1 ? name : ThreadGroupName.of(name), longest, threads.size());
    }
}

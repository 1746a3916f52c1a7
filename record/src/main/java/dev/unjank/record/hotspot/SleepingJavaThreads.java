package dev.unjank.record.hotspot;

import dev.unjank.record.linux.Proc;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the threads that sleep in a system call while the JVM has them in state {@code in_Java}. A reported interval is
 * from after the first sample to before the last one, so it lies within the sleep. Not thread-safe.
 */
final class SleepingJavaThreads {
    private final VmThreadList threads;
    private final @Nullable StackMethodFinder callers;
    private final Proc proc;
    private final int pid;
    private final LongSupplier clock;
    private final Taker taker;
    private final Map<Integer, Sleep> asleep = new HashMap<>();
    private final Map<Integer, Long> inJava = new HashMap<>();
    private volatile long count;

    /** Receives the sleeps. */
    interface Taker {
        /** A thread has slept; its calling Java method is null if unknown. */
        void slept(int tid, long from, long to, @Nullable String caller);
    }

    /** A current sleep. It lasts as long as the run time of the thread does not change. */
    private record Sleep(
            long since, long lastSeen, long ranNs, @Nullable String caller) {
        boolean seenAgain() {
            return lastSeen > since;
        }
    }

    SleepingJavaThreads(
            VmThreadList threads,
            @Nullable StackMethodFinder callers,
            Proc proc,
            int pid,
            LongSupplier clock,
            Taker taker) {
        this.threads = threads;
        this.callers = callers;
        this.proc = proc;
        this.pid = pid;
        this.clock = clock;
        this.taker = taker;
    }

    /**
     * Samples all threads. All sleeps that ended before the returned time have been reported. If it fails, the state
     * does not change.
     */
    long sample() throws IOException {
        long begun = clock.getAsLong();
        inJava.clear();
        threads.inJava((thread, tid) -> inJava.put(tid, thread));
        Set<Integer> still = new HashSet<>();
        inJava.forEach((tid, thread) -> {
            Proc.InKernel place = proc.inKernel(pid, tid);
            if (place != null) {
                still.add(tid);
                sample(begun, thread, tid, place);
            }
        });
        asleep.entrySet().removeIf(each -> {
            boolean over = !still.contains(each.getKey());
            if (over) {
                report(each.getKey(), each.getValue());
            }
            return over;
        });
        return asleep.values().stream().mapToLong(Sleep::since).reduce(begun, Math::min);
    }

    private void sample(long begun, long thread, int tid, Proc.InKernel place) {
        long ran = proc.ranNs(pid, tid);
        Sleep known = asleep.get(tid);
        if (known == null || known.ranNs != ran) {
            if (known != null) {
                report(tid, known);
            }
            asleep.put(tid, new Sleep(clock.getAsLong(), begun, ran, null));
        } else {
            String caller = known.seenAgain() ? known.caller : caller(thread, place);
            asleep.put(tid, new Sleep(known.since, begun, ran, caller));
        }
    }

    private @Nullable String caller(long thread, Proc.InKernel place) {
        try {
            return callers == null ? null : callers.of(place.stack(), threads.stackBase(thread));
        } catch (IOException e) {
            return null; // the thread has ended meanwhile
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // written by one thread
    private void report(int tid, Sleep sleep) {
        if (sleep.seenAgain()) {
            count++;
            taker.slept(tid, sleep.since, sleep.lastSeen, sleep.caller);
        }
    }

    /** Reports the current sleeps. */
    void end() {
        asleep.forEach(this::report);
        asleep.clear();
    }

    /** The number of reported sleeps. */
    long count() {
        return count;
    }
}

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
 * From when to when threads slept in the kernel that are in Java, as the virtual machine has it: from after they were first seen to before
 * they were last seen to, so that what is told lies within the sleep, and within nothing that the thread did before or after.
 *
 * <p>One thread's.
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
    private volatile long told;

    /** Takes what was found. */
    interface Taker {
        /**
         * A thread slept.
         *
         * @param tid the thread
         * @param from after it was first seen to
         * @param to before it was last seen to
         * @param caller the method in which it was; null if not known
         */
        void slept(int tid, long from, long to, @Nullable String caller);
    }

    /** A sleep that goes on; it is another one if the thread has run in between. */
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
     * Looks at all threads.
     *
     * @return everything that ended before this time has been told
     * @throws IOException if they cannot be found at this moment; what was known stays as it is
     */
    long look() throws IOException {
        long begun = clock.getAsLong();
        inJava.clear();
        threads.inJava((thread, tid) -> inJava.put(tid, thread));
        Set<Integer> still = new HashSet<>();
        inJava.forEach((tid, thread) -> {
            Proc.InKernel place = proc.inKernel(pid, tid);
            if (place != null) {
                still.add(tid);
                look(begun, thread, tid, place);
            }
        });
        asleep.entrySet().removeIf(each -> {
            boolean over = !still.contains(each.getKey());
            if (over) {
                tell(each.getKey(), each.getValue());
            }
            return over;
        });
        return asleep.values().stream().mapToLong(Sleep::since).reduce(begun, Math::min);
    }

    private void look(long begun, long thread, int tid, Proc.InKernel place) {
        long ran = proc.ranNs(pid, tid);
        Sleep known = asleep.get(tid);
        if (known == null || known.ranNs != ran) {
            if (known != null) {
                tell(tid, known);
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
            return null; // it has ended meanwhile
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // written by one thread
    private void tell(int tid, Sleep sleep) {
        if (sleep.seenAgain()) {
            told++;
            taker.slept(tid, sleep.since, sleep.lastSeen, sleep.caller);
        }
    }

    /** Tells of those that go on. */
    void end() {
        asleep.forEach(this::tell);
        asleep.clear();
    }

    /** How many have been told. */
    long told() {
        return told;
    }
}

package dev.unjank.record.hotspot;

import dev.unjank.record.linux.Proc;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** From when to when threads slept in the kernel that are in Java, as the virtual machine has it. One thread's. */
final class SleepersInJava {
    private final VmThreads threads;
    private final @Nullable JavaCaller callers;
    private final Proc proc;
    private final int pid;
    private final Taker taker;
    private final Map<Integer, Sleep> asleep = new HashMap<>();
    private final Set<Long> inJava = new HashSet<>();
    private volatile long told;

    /** Takes what was found. */
    interface Taker {
        /**
         * A thread slept.
         *
         * @param tid the thread
         * @param from when it was first seen to
         * @param to when it was last seen to
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

    SleepersInJava(VmThreads threads, @Nullable JavaCaller callers, Proc proc, int pid, Taker taker) {
        this.threads = threads;
        this.callers = callers;
        this.proc = proc;
        this.pid = pid;
        this.taker = taker;
    }

    /** Looks at all threads. */
    void look(long now) throws IOException {
        inJava.clear();
        threads.inJava(inJava::add);
        Set<Integer> still = new HashSet<>();
        for (long thread : inJava) {
            int tid = threads.tid(thread);
            Proc.InKernel place = proc.inKernel(pid, tid);
            if (place != null) {
                still.add(tid);
                look(now, thread, tid, place);
            }
        }
        asleep.entrySet().removeIf(each -> {
            boolean over = !still.contains(each.getKey());
            if (over) {
                tell(each.getKey(), each.getValue());
            }
            return over;
        });
    }

    private void look(long now, long thread, int tid, Proc.InKernel place) throws IOException {
        long ran = proc.ranNs(pid, tid);
        Sleep known = asleep.get(tid);
        if (known == null || known.ranNs != ran) {
            if (known != null) {
                tell(tid, known);
            }
            asleep.put(tid, new Sleep(now, now, ran, null));
        } else {
            String caller = known.seenAgain() || callers == null
                    ? known.caller
                    : callers.of(place.stack(), threads.stackBase(thread));
            asleep.put(tid, new Sleep(known.since, now, ran, caller));
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // written by one thread
    private void tell(int tid, Sleep sleep) {
        if (sleep.seenAgain()) {
            told++;
            taker.slept(tid, sleep.since, sleep.lastSeen, sleep.caller);
        }
    }

    /** Since when the longest sleep goes on; now if there is none. */
    long since(long now) {
        return asleep.values().stream().mapToLong(Sleep::since).min().orElse(now);
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

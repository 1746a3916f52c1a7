package dev.unjank.doctor.find.runtime;

import dev.unjank.doctor.find.runtime.RuntimeWaitTable.Entry;
import dev.unjank.trace.collections.LongOrder;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.StackSamples;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds threads that wait for their next item, which makes them idle: all waits at one place have the same callers, and
 * the wait is in the thread's outermost method, or at least {@value #MIN_WAITS} waits take at least {@value
 * #MIN_PERCENT} % of the time between the thread's first and last recorded event. If several threads wait there, all of
 * them must wait at once for at least half of the time: of a pool of objects a thread has one while others wait.
 */
final class NextItemWaits {
    /** Fewer waits may be slow ones in the middle of work. */
    static final int MIN_WAITS = 5;

    static final int MIN_PERCENT = 80;

    private final Slices slices;
    private final StackSamples samples;
    private final IdleStacks idleStacks;

    NextItemWaits(Trace trace, IdleStacks idleStacks) {
        this.slices = trace.slices();
        this.samples = trace.samples();
        this.idleStacks = idleStacks;
    }

    /**
     * {@return the threads whose waits at a place are for their next items}
     *
     * @param entries all waits at the place
     */
    Set<Integer> threads(List<Entry> entries) {
        if (entries.getFirst().meaning().isIdle()
                || entries.stream()
                        .noneMatch(entry -> idleStacks.mayWaitForItem(
                                StackFrames.of(entry.meaning().stack())))) {
            return Set.of();
        }
        Map<Integer, List<Entry>> byThread = new HashMap<>();
        entries.forEach(entry ->
                byThread.computeIfAbsent(entry.utid(), _ -> new ArrayList<>()).add(entry));
        Set<Integer> found = new HashSet<>();
        byThread.forEach((utid, its) -> {
            if (haveSameCallers(its)
                    && (idleStacks.isLoopOfItems(
                                    StackFrames.of(its.getFirst().meaning().stack()))
                            || isNearlyAlwaysIn(utid, its))) {
                found.add(utid);
            }
        });
        return found.isEmpty() || byThread.size() == 1 || waitTogether(byThread) ? found : Set.of();
    }

    private boolean isNearlyAlwaysIn(int utid, List<Entry> entries) {
        if (entries.size() < MIN_WAITS) {
            return false;
        }
        long waitNs = entries.stream()
                .mapToLong(entry -> entry.endNs() - entry.startNs())
                .sum();
        long from = Long.MAX_VALUE;
        long to = Long.MIN_VALUE;
        for (int row = slices.first(utid); row < slices.end(utid); row++) {
            from = Math.min(from, slices.ts(row));
            to = Math.max(to, slices.endNs(row));
        }
        if (samples.first(utid) < samples.end(utid)) {
            from = Math.min(from, samples.ts(samples.first(utid)));
            to = Math.max(to, samples.ts(samples.end(utid) - 1));
        }
        return waitNs >= (to - from) / 100 * MIN_PERCENT;
    }

    private boolean haveSameCallers(List<Entry> entries) {
        List<String> first = callers(entries.getFirst());
        return entries.stream()
                .allMatch(entry ->
                        idleStacks.mayWaitForItem(StackFrames.of(entry.meaning().stack()))
                                && callers(entry).equals(first));
    }

    /** The methods from the innermost one of the program outwards. */
    private static List<String> callers(Entry entry) {
        StackFrames stack = StackFrames.of(entry.meaning().stack());
        return stack.methods().subList(stack.firstOfProgram(), stack.size());
    }

    /** Whether for half of the time every thread waits that is between its first and last wait. */
    private static boolean waitTogether(Map<Integer, List<Entry>> byThread) {
        List<long[]> changes = new ArrayList<>(); // time, change of threads there, change of waiting threads
        byThread.values().forEach(entries -> {
            entries.forEach(entry -> {
                changes.add(new long[] {entry.startNs(), 0, 1});
                changes.add(new long[] {entry.endNs(), 0, -1});
            });
            long from = entries.stream().mapToLong(Entry::startNs).min().orElse(0);
            long to = entries.stream().mapToLong(Entry::endNs).max().orElse(0);
            changes.add(new long[] {from, 1, 0});
            changes.add(new long[] {to, -1, 0});
        });
        changes.sort(LongOrder.ascending(change -> change[0]));
        long there = 0;
        long waiting = 0;
        long thereNs = 0;
        long togetherNs = 0;
        long at = 0;
        for (long[] change : changes) {
            long ns = change[0] - at;
            thereNs += there > 0 ? ns : 0;
            togetherNs += there > 0 && waiting == there ? ns : 0;
            there += change[1];
            waiting += change[2];
            at = change[0];
        }
        return 2 * togetherNs >= thereNs;
    }
}

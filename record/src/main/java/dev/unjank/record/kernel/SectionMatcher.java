package dev.unjank.record.kernel;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Matches the entries and exits of nested sections of threads. The buffers of the CPUs are read one after the other, so
 * the exit of a migrated thread may be read before its entry: events are sorted first, and processed when no older ones
 * can come. An exit without an entry belongs to a section that began before tracing, unless events were lost. Not
 * thread-safe.
 */
final class SectionMatcher {
    /** The start of a section that began before tracing. */
    static final long BEFORE = Long.MIN_VALUE;

    private final Taker taker;
    private final long leastNs;
    private final List<Step> steps = new ArrayList<>();
    private final Map<Integer, Inside> inside = new HashMap<>();
    private boolean isWhole = true;

    /** Receives sections. */
    @FunctionalInterface
    interface Taker {
        void section(int tid, long from, long to);
    }

    private record Step(int tid, long ns, boolean enters) {}

    /** A thread inside sections: the start time and the nesting depth. */
    private record Inside(long since, int depth) {}

    /** Creates a matcher for sections of a minimum duration; sections that began before tracing may be shorter. */
    SectionMatcher(Taker taker, long leastNs) {
        this.taker = taker;
        this.leastNs = leastNs;
    }

    /** A thread enters or leaves a section. */
    void step(int tid, long ns, boolean enters) {
        steps.add(new Step(tid, ns, enters));
    }

    /** Processes the events before a time, all of which have been read. */
    void settle(long before) {
        steps.sort(Comparator.comparingLong(Step::ns));
        int settled = 0;
        while (settled < steps.size() && steps.get(settled).ns < before) {
            apply(steps.get(settled++));
        }
        steps.subList(0, settled).clear();
    }

    private void apply(Step step) {
        Inside known = inside.get(step.tid);
        if (step.enters) {
            inside.put(step.tid, known == null ? new Inside(step.ns, 1) : new Inside(known.since, known.depth + 1));
        } else if (known != null && known.depth > 1) {
            inside.put(step.tid, new Inside(known.since, known.depth - 1));
        } else if (known != null) {
            inside.remove(step.tid);
            if (step.ns - known.since >= leastNs) {
                taker.section(step.tid, known.since, step.ns);
            }
        } else if (isWhole) {
            taker.section(step.tid, BEFORE, step.ns);
        }
    }

    /** Events were lost: drops all state. */
    void forget() {
        steps.clear();
        inside.clear();
        isWhole = false;
    }

    /** The start times of current sections, by thread. */
    Map<Integer, Long> open() {
        Map<Integer, Long> open = new HashMap<>();
        inside.forEach((tid, entered) -> open.put(tid, entered.since));
        return open;
    }
}

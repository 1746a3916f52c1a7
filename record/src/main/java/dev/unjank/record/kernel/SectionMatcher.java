package dev.unjank.record.kernel;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds out from when to when threads were inside sections that they enter and leave, one within another. The buffers of CPUs are read
 * one after the other, so a thread that was moved in between may be told to leave before it is told to enter: what is told is put
 * in order first, and looked at once nothing older can come any more. Who leaves without having entered was inside when it began, as long as
 * nothing has been lost. One thread's.
 */
final class SectionMatcher {
    /** When a section began that was under way when the first thread was told of. */
    static final long BEFORE = Long.MIN_VALUE;

    private final Taker taker;
    private final long leastNs;
    private final List<Step> steps = new ArrayList<>();
    private final Map<Integer, Inside> inside = new HashMap<>();
    private boolean isWhole = true;

    /** Takes a section. */
    @FunctionalInterface
    interface Taker {
        void section(int tid, long from, long to);
    }

    private record Step(int tid, long ns, boolean enters) {}

    /** A thread that is inside: since when, and of how many sections. */
    private record Inside(long since, int depth) {}

    /**
     * Will find sections.
     *
     * @param taker told of each that no other one contains, when it is over
     * @param leastNs shorter ones are passed over, but for those of which the beginning is not known
     */
    SectionMatcher(Taker taker, long leastNs) {
        this.taker = taker;
        this.leastNs = leastNs;
    }

    /** A thread enters or leaves a section. */
    void step(int tid, long ns, boolean enters) {
        steps.add(new Step(tid, ns, enters));
    }

    /** All that happened before a time has been told. */
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

    /** Events were lost: nobody knows who is inside any more. */
    void forget() {
        steps.clear();
        inside.clear();
        isWhole = false;
    }

    /** The sections that nobody has left yet, by thread, with when each began. */
    Map<Integer, Long> open() {
        Map<Integer, Long> open = new HashMap<>();
        inside.forEach((tid, entered) -> open.put(tid, entered.since));
        return open;
    }
}

package dev.unjank.doctor.find.pause;

import dev.unjank.doctor.find.code.CodeLocationParser;
import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Owner;
import dev.unjank.trace.model.SliceNameFilter;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.jfr.JfrChunks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The recorded critical sections of native code in a Java virtual machine. While a thread is in a JNI critical section,
 * most collectors cannot start; once a collection is requested, no thread enters another.
 */
public final class JniCriticalSections {
    static final int NONE = -1;

    private final Slices slices;
    private final Map<Integer, List<Integer>> byProcess = new HashMap<>();

    private JniCriticalSections(Trace trace, Predicate<String> isSection) {
        slices = trace.slices();
        SliceNameFilter sections = new SliceNameFilter(trace, isSection);
        for (int utid = 0; utid < trace.threads().size(); utid++) {
            int upid = trace.threads().upid(utid);
            sections.forEachOf(
                    utid,
                    row -> byProcess
                            .computeIfAbsent(upid, _ -> new ArrayList<>())
                            .add(row));
        }
    }

    /** JNI critical sections, which delay the start of most collectors. */
    public static JniCriticalSections sections(Trace trace) {
        return new JniCriticalSections(trace, name -> name.equals(JfrChunks.CRITICAL_SECTION));
    }

    /** Critical calls of the foreign function API, which delay safepoints. */
    static JniCriticalSections calls(Trace trace) {
        return new JniCriticalSections(trace, name -> name.startsWith(JfrChunks.CRITICAL_CALL));
    }

    /**
     * The section of a process with the latest end of those that overlap an interval.
     *
     * @param utid a thread of the process, whose own sections do not count
     * @return its slice, {@link #NONE} if there is none
     */
    int lastEndedBefore(int upid, int utid, long from, long to) {
        int last = NONE;
        for (int row : byProcess.getOrDefault(upid, List.of())) {
            boolean overlaps = slices.ts(row) < to && slices.endNs(row) > from && slices.utid(row) != utid;
            if (overlaps && (last == NONE || slices.endNs(row) > slices.endNs(last))) {
                last = row;
            }
        }
        return last;
    }

    /**
     * The section that a thread left last in an interval.
     *
     * @param upid its process
     * @return its slice, {@link #NONE} if it left none
     */
    int endedBy(int upid, int utid, long from, long to) {
        int last = NONE;
        for (int row : byProcess.getOrDefault(upid, List.of())) {
            boolean ends = slices.utid(row) == utid && slices.endNs(row) > from && slices.endNs(row) <= to;
            if (ends && (last == NONE || slices.endNs(row) > slices.endNs(last))) {
                last = row;
            }
        }
        return last;
    }

    /** Whether a process has no sections. */
    boolean isEmpty(int upid) {
        return !byProcess.containsKey(upid);
    }

    /** The end of a section, ns. */
    long endNs(int row) {
        return slices.endNs(row);
    }

    /**
     * The critical call of a process that covers most of an interval.
     *
     * @param utid a thread of the process, whose own calls do not count; -1 for none
     * @return its slice, {@link #NONE} if there is none
     */
    int coveringMostOf(int upid, int utid, long from, long to) {
        int row = lastEndedBefore(upid, utid, from, to);
        boolean coversMost =
                row != NONE && 2 * (Math.min(to, slices.endNs(row)) - Math.max(from, slices.ts(row))) > to - from;
        return coversMost ? row : NONE;
    }

    /** The caller of a critical call as the owner of a wait, with the location if the slice has it. */
    Owner callerOf(int row, ThreadRefFactory refs, long from, long to) {
        CodeLocation location =
                CodeLocationParser.location(slices.name(row).substring(JfrChunks.CRITICAL_CALL.length()));
        return new Owner(refs.during(slices.utid(row), from, to, null), location, Evidence.OWNER_NAMED);
    }
}

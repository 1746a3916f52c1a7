package dev.unjank.doctor.find.pause;

import dev.unjank.doctor.find.lock.LockContentionParser;
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
 * The critical sections of a Java virtual machine's threads in native code, where the trace has them. While a thread is inside
 * one of JNI's, most collectors cannot begin; once a collection has been asked for, nobody enters another.
 */
public final class JniCriticalSections {
    static final int NONE = -1;

    private final Slices slices;
    private final Map<Integer, List<Integer>> byProcess = new HashMap<>();

    private JniCriticalSections(Trace trace, Predicate<String> isOne) {
        slices = trace.slices();
        SliceNameFilter named = new SliceNameFilter(trace, isOne);
        for (int utid = 0; utid < trace.threads().size(); utid++) {
            int upid = trace.threads().upid(utid);
            int end = slices.end(utid);
            for (int row = named.next(slices.first(utid), end); row < end; row = named.next(row + 1, end)) {
                byProcess.computeIfAbsent(upid, key -> new ArrayList<>()).add(row);
            }
        }
    }

    /** JNI critical sections, before whose end most collectors cannot begin. */
    public static JniCriticalSections sections(Trace trace) {
        return new JniCriticalSections(trace, name -> name.equals(JfrChunks.CRITICAL_SECTION));
    }

    /** Critical calls of the foreign function API, before whose end nobody gets past a safepoint. */
    static JniCriticalSections calls(Trace trace) {
        return new JniCriticalSections(trace, name -> name.startsWith(JfrChunks.CRITICAL_CALL));
    }

    /**
     * The section that was left last of those in which a thread of a process was at the beginning of an interval.
     *
     * @param utid a thread of the process, whose own sections are none to wait for
     * @return its slice, {@link #NONE} if nobody was in one
     */
    int lastEndedBefore(int upid, int utid, long from, long to) {
        int last = NONE;
        for (int row : byProcess.getOrDefault(upid, List.of())) {
            boolean inside = slices.ts(row) < to && slices.endNs(row) > from && slices.utid(row) != utid;
            if (inside && (last == NONE || slices.endNs(row) > slices.endNs(last))) {
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
            boolean left = slices.utid(row) == utid && slices.endNs(row) > from && slices.endNs(row) <= to;
            if (left && (last == NONE || slices.endNs(row) > slices.endNs(last))) {
                last = row;
            }
        }
        return last;
    }

    /** Whether no thread of a process was ever in one. */
    boolean isEmpty(int upid) {
        return !byProcess.containsKey(upid);
    }

    /** When a section was left. */
    long endNs(int row) {
        return slices.endNs(row);
    }

    /**
     * The critical call in which a thread of a process was for most of an interval in which others waited.
     *
     * @param utid a thread of the process, which may be one of those that waited; -1 if none is
     * @return its slice, {@link #NONE} if there is none
     */
    int mostOf(int upid, int utid, long from, long to) {
        int row = lastEndedBefore(upid, utid, from, to);
        boolean most =
                row != NONE && 2 * (Math.min(to, slices.endNs(row)) - Math.max(from, slices.ts(row))) > to - from;
        return most ? row : NONE;
    }

    /** Whoever made a critical call, with the place if the slice tells it, as the owner of what others wait for. */
    Owner callerOf(int row, ThreadRefFactory refs, long from, long to) {
        CodeLocation site = LockContentionParser.site(slices.name(row).substring(JfrChunks.CRITICAL_CALL.length()));
        return new Owner(refs.during(slices.utid(row), from, to, null), site, Evidence.OWNER_NAMED);
    }
}

package dev.unjank.trace.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * The data that a trace lacks, the questions that remain open, and what to record next time. Decided by the tables
 * only, independent of the format.
 */
public final class TraceGaps {
    /** Slices made from kernel events, which exist without any marks of programs. */
    private static final Set<String> OF_KERNEL = Set.of(
            "binder transaction",
            "binder transaction async",
            "binder reply",
            "binder async rcv",
            "dma_fence_wait",
            "mm_vmscan_direct_reclaim",
            "sys_futex");

    /** The mark in which the recorder lists its kernel sources. */
    private static final String RECORDER = "source: kernel scheduling";

    private static final int ROWS_AT_ONCE = 1 << 10;

    private final Trace trace;

    /** Otherwise a recording of a Java virtual machine, which contains its own account of what it lacks. */
    private final boolean android;

    private final List<TraceNote> gaps = new ArrayList<>();
    private final List<TraceNote> missingData = new ArrayList<>();

    private TraceGaps(Trace trace) {
        this.trace = trace;
        boolean jvm = false;
        for (int upid = 0; upid < trace.processes().size(); upid++) {
            jvm |= trace.processes().isJvm(upid);
        }
        android = !jvm;
        if (hasOnlyProgramEvents()) {
            gaps.add(TraceNote.of("onlyPrograms"));
            missingData.add(TraceNote.of("unknown.causes"));
        } else {
            scheduler();
            slices();
            frames();
        }
        if (!trace.unreadParts().isEmpty()) {
            gaps.replaceAll(gap -> TraceNote.of("asFarAsRead", gap));
        }
    }

    /**
     * {@return the gaps of a trace}
     *
     * @param trace the trace
     */
    public static TraceGaps in(Trace trace) {
        return new TraceGaps(trace);
    }

    /** {@return a warning per gap, with what to record, the most severe first; empty for a complete trace} */
    public List<TraceNote> warnings() {
        return List.copyOf(gaps);
    }

    /**
     * {@return what is unknown for lack of data, as ends of sentences: {@code which thread waited for which lock};
     * the most severe first}
     */
    public List<TraceNote> missingData() {
        return List.copyOf(missingData);
    }

    /** For a trace of programs only, advice about recording Android does not apply. */
    private boolean hasOnlyProgramEvents() {
        return android && !trace.hasScheduling() && trace.slices().size() > 0 && !hasMarks();
    }

    private void scheduler() {
        if (!trace.hasScheduling()) {
            if (android) {
                gaps.add(TraceNote.of("noScheduler"));
                missingData.add(TraceNote.of("unknown.scheduling"));
            } else {
                gaps.add(TraceNote.of("noSchedulerOfJvm"));
            }
            return;
        }
        ThreadStates states = trace.threadStates();
        boolean priorities = false;
        boolean wakers = false;
        boolean uninterruptible = false;
        boolean functions = false;
        boolean reasons = false;
        int[] infos = new int[ROWS_AT_ONCE];
        int[] woken = new int[ROWS_AT_ONCE];
        for (int first = 0; first < states.size() && !(priorities && wakers && functions); first += ROWS_AT_ONCE) {
            int rows = states.columns().info().read(first, infos);
            states.columns().waker().read(first, woken);
            for (int i = 0; i < rows; i++) {
                priorities |= ThreadStateBits.priority(infos[i]) > 0;
                // the creator of a thread is recorded as its first waker, without a priority
                wakers |= woken[i] >= 0 && ThreadStateBits.priority(infos[i]) != ThreadStateBits.NO_PRIORITY;
                if (!functions && ThreadStateBits.state(infos[i]) == SchedState.UNINTERRUPTIBLE) {
                    uninterruptible = true;
                    reasons |= ThreadStateBits.hasReason(infos[i]);
                    functions = states.blockedFunction(first + i) != null;
                }
            }
        }
        if (!priorities) {
            gaps.add(TraceNote.of("noPriorities"));
            missingData.add(TraceNote.of("unknown.inversions"));
        }
        if (!wakers) {
            gaps.add(TraceNote.of("noWakers"));
        }
        if (uninterruptible && !functions) {
            gaps.add(functions(reasons));
        }
    }

    /** For traces of this project's recorder, which lists what the kernel lacks, there is no advice. */
    private TraceNote functions(boolean reasons) {
        String event = "sched_blocked_reason";
        Slices slices = trace.slices();
        for (int row = slices.firstAsync(); row < slices.size(); row++) {
            if (slices.name(row).equals(RECORDER)) {
                String detail = trace.args().text(row, "debug.detail");
                return detail != null && detail.contains(event)
                        ? TraceNote.of("noFunctionsInKernel", event)
                        : TraceNote.of("noFunctionsInRecording");
            }
        }
        return TraceNote.of(reasons ? "noFunctionNames" : "noFunctions", event);
    }

    private void slices() {
        if (android && !hasMarks()) {
            gaps.add(TraceNote.of("noSlices"));
            missingData.add(TraceNote.of("unknown.locks"));
        }
    }

    /** Whether there are marks of atrace, which have no category, or waits from any source. */
    private boolean hasMarks() {
        if (trace.slices().size() == 0) {
            return false;
        }
        Strings strings = trace.strings();
        Slices.Columns columns = trace.slices().columns();
        boolean withCategories = columns.category().size() > 0;
        int[] names = new int[ROWS_AT_ONCE];
        int[] categories = new int[ROWS_AT_ONCE];
        Arrays.fill(categories, -1);
        BitSet waits = new BitSet();
        BitSet ofKernel = new BitSet();
        for (int id = 0; id < strings.size(); id++) {
            waits.set(id, strings.get(id).startsWith("monitor contention"));
            ofKernel.set(id, OF_KERNEL.contains(strings.get(id)));
        }
        for (int first = 0; first < trace.slices().size(); first += ROWS_AT_ONCE) {
            int rows = columns.name().read(first, names);
            if (withCategories) {
                columns.category().read(first, categories);
            }
            for (int i = 0; i < rows; i++) {
                boolean marked = categories[i] < 0 || strings.get(categories[i]).isEmpty();
                if ((marked && !ofKernel.get(names[i])) || waits.get(names[i])) {
                    return true;
                }
            }
        }
        return false;
    }

    private void frames() {
        if (android && trace.frames().size() == 0) {
            gaps.add(TraceNote.of("noFrames"));
        }
    }
}

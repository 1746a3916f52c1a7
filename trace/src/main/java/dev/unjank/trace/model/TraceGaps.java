package dev.unjank.trace.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * What a trace does not hold, and what therefore nobody can say; with what to record the next time. It is decided by the tables
 * alone, whatever format they came from.
 */
public final class TraceGaps {
    /** Slices that the kernel's own events make, which are there without any program's marks. */
    private static final Set<String> OF_KERNEL = Set.of(
            "binder transaction",
            "binder transaction async",
            "binder reply",
            "binder async rcv",
            "dma_fence_wait",
            "mm_vmscan_direct_reclaim",
            "sys_futex");

    /** The mark in which the recorder says what it has of the kernel. */
    private static final String RECORDER = "source: kernel scheduling";

    private static final int ROWS_AT_ONCE = 1 << 10;

    private final Trace trace;

    /** Else a Java virtual machine's, whose recording says itself what it left out. */
    private final boolean android;

    private final List<String> gaps = new ArrayList<>();
    private final List<String> missingData = new ArrayList<>();

    private TraceGaps(Trace trace) {
        this.trace = trace;
        boolean jvm = false;
        for (int upid = 0; upid < trace.processes().size(); upid++) {
            jvm |= trace.processes().isJvm(upid);
        }
        android = !jvm;
        if (hasOnlyProgramEvents()) {
            gaps.add("the trace holds what programs wrote of themselves and no scheduler events: nobody can say why"
                    + " something was late; record the system with Perfetto at the same time, with sched/sched_switch and"
                    + " sched/sched_waking, and give both files");
            missingData.add("why something was late");
        } else {
            scheduler();
            slices();
            frames();
        }
        if (!trace.unreadParts().isEmpty()) {
            gaps.replaceAll(line -> "as far as it could be read, " + line);
        }
    }

    /**
     * What a trace lacks.
     *
     * @param trace the trace
     * @return one line for each thing, the one that costs most first; empty for a trace that has all that there is
     */
    public static List<String> of(Trace trace) {
        return in(trace).warnings();
    }

    /**
     * Looks at a trace.
     *
     * @param trace the trace
     * @return what it lacks
     */
    public static TraceGaps in(Trace trace) {
        return new TraceGaps(trace);
    }

    /**
     * {@return one line for each thing that is lacking, with what to record, the one that costs most first; empty for a trace that
     * has all that there is}
     */
    public List<String> warnings() {
        return List.copyOf(gaps);
    }

    /**
     * {@return what nobody can tell for want of data, as ends of sentences: {@code who waited for which lock}; the one that costs
     * most first}
     */
    public List<String> missingData() {
        return List.copyOf(missingData);
    }

    /** Who recorded programs alone is not told how to record Android. */
    private boolean hasOnlyProgramEvents() {
        return android && !trace.hasScheduling() && trace.slices().size() > 0 && !hasMarks();
    }

    private void scheduler() {
        if (!trace.hasScheduling()) {
            if (android) {
                gaps.add(
                        "the trace holds no scheduler events: nobody can say who ran, waited or was preempted when; record"
                                + " with sched/sched_switch and sched/sched_waking");
                missingData.add("who ran, waited or was preempted when");
            } else {
                gaps.add(
                        "the recording does not tell who had a CPU: what the owner of a lock did is known only from its own"
                                + " events and from samples of its stack");
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
                // whoever creates a thread is told as its first waker, and without a priority
                wakers |= woken[i] >= 0 && ThreadStateBits.priority(infos[i]) != ThreadStateBits.NO_PRIORITY;
                if (!functions && ThreadStateBits.state(infos[i]) == SchedState.UNINTERRUPTIBLE) {
                    uninterruptible = true;
                    reasons |= ThreadStateBits.hasReason(infos[i]);
                    functions = states.blockedFunction(first + i) != null;
                }
            }
        }
        if (!priorities) {
            gaps.add(
                    "the scheduler events hold no priorities: nobody can say whether an inversion of priorities took place");
            missingData.add("whether an inversion of priorities took place");
        }
        if (!wakers) {
            gaps.add(
                    "the trace does not say who woke whom, so owners of locks cannot be inferred from that; record with"
                            + " sched/sched_waking");
        }
        if (uninterruptible && !functions) {
            gaps.add(functions(reasons));
        }
    }

    /** What to record is of no use to whoever has used this project's recorder, which says itself what the kernel does not have. */
    private String functions(boolean reasons) {
        String event = "sched_blocked_reason";
        Slices slices = trace.slices();
        for (int row = slices.firstAsync(); row < slices.size(); row++) {
            if (slices.name(row).equals(RECORDER)) {
                String detail = trace.args().text(row, "debug.detail");
                return detail != null && detail.contains(event)
                        ? "this kernel does not tell in which of its functions a thread waited, since it has no "
                                + event
                        : "the recording does not say in which function of the kernel a thread waited";
            }
        }
        return "the trace does not say in which function of the kernel a thread waited"
                + (reasons
                        ? ": it has " + event + " without the functions' names; record with symbolize_ksyms"
                        : "; record with sched/" + event);
    }

    private void slices() {
        if (android && !hasMarks()) {
            gaps.add(
                    "the trace holds no slices of Android's runtime and apps: nobody can say who waited for which lock;"
                            + " record with the atrace categories dalvik, am, wm, gfx and view, and with atrace_apps");
            missingData.add("who waited for which lock");
        }
    }

    /** Marks of Android's tracing have no category; waits are waits whoever told of them. */
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
            gaps.add(
                    "the trace holds no frame timeline, so frames are told by Choreographer's slices, if there are any; from"
                            + " Android 12 on record with the data source android.surfaceflinger.frametimeline");
        }
    }
}

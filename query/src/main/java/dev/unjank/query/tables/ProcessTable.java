package dev.unjank.query.tables;

import dev.unjank.query.load.NativeTable;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.lang.foreign.Arena;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The table of processes. As in trace processor, upid 0 is the idle process, which the model does not contain. */
public final class ProcessTable {
    private static final int IDLE = 0;

    private final Supplier<Trace> trace;

    ProcessTable(Supplier<Trace> trace) {
        this.trace = trace;
    }

    /**
     * {@return the upid in tables, -1 for none}
     *
     * @param upid the upid in the model, negative for none
     */
    public static int upid(int upid) {
        return upid < 0 ? -1 : upid + 1;
    }

    NativeTable processes(Arena arena) {
        Processes processes = trace.get().processes();
        return new NativeTable(arena, processes.size() + 1)
                .ints("upid", row -> row)
                .alias("upid", "id")
                .ints("pid", row -> row == IDLE ? 0 : processes.pid(row - 1))
                .strings("name", row -> row == IDLE ? null : processes.lastName(row - 1))
                .longs("start_ts", Long.MIN_VALUE, knownTime(Long.MIN_VALUE, this::startNs))
                .longs("end_ts", Long.MAX_VALUE, knownTime(Long.MAX_VALUE, this::endNs))
                .ints("parent_upid", -1, known(-1, this::parent))
                .ints("uid", Processes.NO_UID, known(Processes.NO_UID, processes::uid))
                .ints(
                        "android_appid",
                        Processes.NO_UID,
                        known(Processes.NO_UID, upid -> processes.uid(upid) % Processes.UIDS_PER_USER))
                .ints(
                        "android_user_id",
                        Processes.NO_UID,
                        known(Processes.NO_UID, upid -> Math.floorDiv(processes.uid(upid), Processes.UIDS_PER_USER)))
                .strings("cmdline", row -> row == IDLE ? null : processes.commandLine(row - 1))
                .ints("arg_set_id", -1, known(-1, upid -> hasArgs(processes).test(upid) ? argSet(upid) : -1))
                .ints("machine_id", _ -> 0);
    }

    private static IntUnaryOperator known(int unknown, IntUnaryOperator ofModel) {
        return row -> row == IDLE ? unknown : ofModel.applyAsInt(row - 1);
    }

    private static IntToLongFunction knownTime(long unknown, IntToLongFunction ofModel) {
        return row -> row == IDLE ? unknown : ofModel.applyAsLong(row - 1);
    }

    private long startNs(int upid) {
        Processes processes = trace.get().processes();
        int main = processes.mainThread(upid);
        long recorded = main < 0 ? Long.MIN_VALUE : trace.get().threads().startNs(main);
        return recorded == Long.MIN_VALUE ? processes.listedStartNs(upid) : recorded;
    }

    private long endNs(int upid) {
        Threads threads = trace.get().threads();
        int main = trace.get().processes().mainThread(upid);
        return main < 0 ? Long.MAX_VALUE : threads.endNs(main);
    }

    private int parent(int upid) {
        Processes processes = trace.get().processes();
        return processes.parent(upid) < 0 && processes.isChildOfIdle(upid) ? IDLE : upid(processes.parent(upid));
    }

    /** Arguments of processes follow those of slices. */
    private int argSet(int upid) {
        return trace.get().slices().size() + upid;
    }

    private static IntPredicate hasArgs(Processes processes) {
        return upid -> processes.isListedKernelThread(upid) != null;
    }

    /** Arguments of processes. */
    NativeTable args(Arena arena) {
        Processes processes = trace.get().processes();
        int[] upids =
                IntStream.range(0, processes.size()).filter(hasArgs(processes)).toArray();
        int first = trace.get().args().size();
        return new NativeTable(arena, upids.length)
                .ints("id", row -> first + row)
                .ints("arg_set_id", row -> argSet(upids[row]))
                .strings("flat_key", _ -> "is_kthread")
                .strings("key", _ -> "is_kthread")
                .ints("int_value", row -> isKernelThread(upids[row]) ? 1 : 0)
                .strings("value_type", _ -> "bool")
                .strings("display_value", row -> isKernelThread(upids[row]) ? "true" : "false");
    }

    private boolean isKernelThread(int upid) {
        return Boolean.TRUE.equals(trace.get().processes().isListedKernelThread(upid));
    }
}

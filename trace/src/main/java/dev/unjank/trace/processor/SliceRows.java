package dev.unjank.trace.processor;

import static dev.unjank.trace.processor.ProcessorTable.NULL;

import dev.unjank.trace.collections.StringPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Slices: nested on each track by their times. */
final class SliceRows {
    static final int TS = 1;
    static final int DUR = 2;
    static final int TRACK = 3;
    static final int CATEGORY = 4;
    static final int NAME = 5;
    static final int PARENT = 7;
    private static final int ARGS = 8;
    private static final int THREAD_TS = 9;
    private static final int THREAD_DUR = 10;
    private static final int INSTRUCTIONS = 11;
    private static final int INSTRUCTION_DELTA = 12;

    /** Fills in the arguments of a slice. */
    @FunctionalInterface
    interface ArgsOf extends Consumer<ArgList> {}

    static final ArgsOf NO_ARGS = _ -> {};

    final ProcessorTable table = new ProcessorTable(
            "slice",
            "id INT, ts INT, dur INT, track_id INT, category TEXT, name TEXT, depth INT, parent_id INT, arg_set_id INT,"
                    + " thread_ts INT, thread_dur INT, thread_instruction_count INT, thread_instruction_delta INT, cat TEXT,"
                    + " slice_id INT");
    private final StringPool strings;
    private final ArgSets sets;
    private final Map<Integer, Stack> stacks = new HashMap<>();
    private @Nullable SliceListener onBegin;

    /** Notified of each new slice. */
    interface SliceListener {
        void begun(int track, int slice);
    }

    private static final class Open {
        final int slice;

        @Nullable
        ArgList args;

        Open(int slice) {
            this.slice = slice;
        }
    }

    private static final class Stack {
        final List<Open> open = new ArrayList<>();
        boolean unnestable;
        long begins;
        long lastBegin;
    }

    SliceRows(StringPool strings, ArgSets sets) {
        this.strings = strings;
        this.sets = sets;
    }

    void onBegin(SliceListener listener) {
        onBegin = listener;
    }

    /** Begins a slice; -1 if none was added. */
    int begin(long ts, int track, int category, int name, ArgsOf args) {
        return start(ts, -1, track, category, name, args);
    }

    int complete(long ts, int track, int category, int name, long dur, ArgsOf args) {
        return start(ts, Math.max(dur, 0), track, category, name, args);
    }

    /** Begins a slice on a track that has one slice at a time: further ones are counted in its arguments. */
    int beginUnnestable(long ts, int track, int name, ArgsOf args) {
        stacks.computeIfAbsent(track, _ -> new Stack()).unnestable = true;
        return start(ts, -1, track, -1, name, args);
    }

    private int start(long ts, long dur, int track, int category, int name, ArgsOf args) {
        Stack stack = stacks.computeIfAbsent(track, _ -> new Stack());
        if (stack.unnestable) {
            stack.begins++;
            stack.lastBegin = ts;
            if (!stack.open.isEmpty()) {
                return -1;
            }
        }
        closeEnded(ts, stack);
        int depth = stack.open.size();
        long parent = depth == 0 ? NULL : stack.open.getLast().slice;
        int id = table.rows();
        long categoryId = category < 0 ? NULL : category;
        table.add(
                id,
                ts,
                dur,
                track,
                categoryId,
                name < 0 ? NULL : name,
                depth,
                parent,
                NULL,
                NULL,
                NULL,
                NULL,
                NULL,
                categoryId,
                id);
        Open open = new Open(id);
        stack.open.add(open);
        addArgs(open, args);
        if (onBegin != null) {
            onBegin.begun(track, id);
        }
        return id;
    }

    /** Ends the innermost open slice with a category and name; -1 matches any. Returns -1 if there is none. */
    int end(long ts, int track, int category, int name, ArgsOf args) {
        Stack stack = stacks.get(track);
        if (stack == null) {
            return -1;
        }
        closeEnded(ts, stack);
        int index = matching(stack, category, name);
        if (index < 0) {
            return -1;
        }
        Open open = stack.open.get(index);
        table.set(open.slice, DUR, ts - table.get(open.slice, TS));
        addArgs(open, args);
        if (stack.unnestable) {
            ArgList counts = argsOf(open);
            counts.integer("legacy_unnestable_begin_count", stack.begins);
            counts.integer("legacy_unnestable_last_begin_ts", stack.lastBegin);
        }
        if (index == stack.open.size() - 1) {
            pop(stack);
        }
        return open.slice;
    }

    /** Adds arguments to the innermost open slice of a track with a category and name; returns its id or -1. */
    int addArgs(int track, int category, int name, ArgsOf args) {
        Stack stack = stacks.get(track);
        int index = stack == null ? -1 : matching(stack, category, name);
        if (stack == null || index < 0) {
            return -1;
        }
        Open open = stack.open.get(index);
        addArgs(open, args);
        return open.slice;
    }

    private void addArgs(Open open, ArgsOf args) {
        if (args != NO_ARGS) {
            args.accept(argsOf(open));
        }
    }

    private ArgList argsOf(Open open) {
        if (open.args == null) {
            open.args = new ArgList(strings);
        }
        return open.args;
    }

    private int matching(Stack stack, int category, int name) {
        for (int i = stack.open.size() - 1; i >= 0; i--) {
            int slice = stack.open.get(i).slice;
            if (table.get(slice, DUR) != -1) {
                continue;
            }
            long otherName = table.get(slice, NAME);
            if ((category < 0 || table.get(slice, CATEGORY) == category)
                    && (name < 0 || otherName == NULL || otherName == name)) {
                return i;
            }
        }
        return -1;
    }

    /** The innermost slice of a track, -1 if there is none. */
    int topmost(int track) {
        Stack stack = stacks.get(track);
        return stack == null || stack.open.isEmpty() ? -1 : stack.open.getLast().slice;
    }

    private void closeEnded(long ts, Stack stack) {
        boolean unfinishedChild = false;
        for (int i = stack.open.size() - 1; i >= 0; i--) {
            int slice = stack.open.get(i).slice;
            long dur = table.get(slice, DUR);
            long end = table.get(slice, TS) + dur;
            if (dur == -1) {
                unfinishedChild = true;
            } else if (unfinishedChild) {
                if (ts > end) {
                    for (int j = stack.open.size() - 1; j > i; j--) {
                        int child = stack.open.get(j).slice;
                        table.set(child, DUR, end - table.get(child, TS));
                        pop(stack);
                    }
                    pop(stack);
                    unfinishedChild = false;
                }
            } else if (end <= ts) {
                pop(stack);
            }
        }
    }

    private void pop(Stack stack) {
        store(stack.open.removeLast());
    }

    private void store(Open open) {
        if (open.args != null) {
            table.set(open.slice, ARGS, sets.add(open.args.args()));
        }
    }

    void threadTime(int slice, long ts, long instructions) {
        table.set(slice, THREAD_TS, ts);
        table.set(slice, INSTRUCTIONS, instructions);
    }

    void threadTimeEnd(int slice, long ts, long instructions) {
        if (ts != NULL && table.get(slice, THREAD_TS) != NULL) {
            table.set(slice, THREAD_DUR, ts - table.get(slice, THREAD_TS));
        }
        if (instructions != NULL && table.get(slice, INSTRUCTIONS) != NULL) {
            table.set(slice, INSTRUCTION_DELTA, instructions - table.get(slice, INSTRUCTIONS));
        }
    }

    void threadDuration(int slice, long dur, long instructions) {
        table.set(slice, THREAD_DUR, dur);
        table.set(slice, INSTRUCTION_DELTA, instructions);
    }

    /** Stores the arguments of slices without an end. */
    void finish() {
        for (Stack stack : stacks.values()) {
            stack.open.forEach(this::store);
        }
    }
}

package dev.unjank.trace.build.tracker;

import dev.unjank.trace.collections.IntList;
import dev.unjank.trace.collections.LongList;
import dev.unjank.trace.collections.StableSort;
import dev.unjank.trace.model.Flows;
import java.util.function.IntUnaryOperator;

/** Data of few slices in addition to times and names: a category, flows, a message, args. In time order. */
public final class SliceDetails {
    /** By the place of a slice, -1 for none; up to the last place that has one. */
    private final IntList categories = new IntList();

    // Points of flows: the flow, and the slice, or ~slice if the flow ends there.
    private final LongList flowIds = new LongList();
    private final IntList flowSlices = new IntList();

    // Rows of the queue events, and their slices.
    private final IntList messages = new IntList();
    private final IntList messageSlices = new IntList();

    // Rows of args, and their slices.
    private final IntList args = new IntList();
    private final IntList argSlices = new IntList();

    // The results.
    private Flows flows = Flows.sorted(new int[0], new int[0], new long[0]);
    private int[] sliceOfMessage = {};
    private long[] sliceOfArg = {};

    /** Adds a detail of a slice from a {@link SliceOperation}. */
    void add(int slice, int operation, long flowOrCount, int value) {
        switch (operation) {
            case SliceOperation.CATEGORY -> category(slice, value);
            case SliceOperation.FLOW, SliceOperation.FLOW_END -> {
                flowIds.add(flowOrCount);
                flowSlices.add(operation == SliceOperation.FLOW_END ? ~slice : slice);
            }
            case SliceOperation.MESSAGE -> {
                messages.add(value);
                messageSlices.add(slice);
            }
            case SliceOperation.ARGS -> {
                for (int i = 0; i < flowOrCount; i++) {
                    args.add(value + i);
                    argSlices.add(slice);
                }
            }
            default -> throw new AssertionError(operation);
        }
    }

    private void category(int slice, int category) {
        if (slice < categories.size()) {
            categories.set(slice, category);
            return;
        }
        while (categories.size() < slice) {
            categories.add(-1);
        }
        categories.add(category);
    }

    /** Converts places to final rows of slices. */
    void finish(IntUnaryOperator rowOfPlace) {
        flows = flows(rowOfPlace);
        sliceOfArg = new long[argSlices.size()];
        for (int i = 0; i < sliceOfArg.length; i++) {
            sliceOfArg[i] = rowOfPlace.applyAsInt(argSlices.get(i));
        }
        sliceOfMessage = new int[messages.size()];
        for (int i = 0; i < sliceOfMessage.length; i++) {
            sliceOfMessage[i] = rowOfPlace.applyAsInt(messageSlices.get(i));
        }
    }

    /** Connects the slices of each flow, one to the next, until the flow ends. */
    private Flows flows(IntUnaryOperator rowOfPlace) {
        long[] ids = flowIds.toArray();
        IntList outs = new IntList();
        IntList ins = new IntList();
        LongList traceIds = new LongList();
        int before = -1;
        long flow = 0;
        int[] order = StableSort.sort(ids);
        for (int i = 0; i < order.length; i++) {
            int note = flowSlices.get(order[i]);
            int slice = note < 0 ? ~note : note;
            if (before >= 0 && flow == ids[i] && before != slice) {
                outs.add(rowOfPlace.applyAsInt(before));
                ins.add(rowOfPlace.applyAsInt(slice));
                traceIds.add(BinderTracker.isFlow(flow) ? Flows.NO_ID : flow);
            }
            before = note < 0 ? -1 : slice;
            flow = ids[i];
        }
        return Flows.sorted(outs.toArray(), ins.toArray(), traceIds.toArray());
    }

    /** Whether any slice has a category. */
    boolean hasCategories() {
        return categories.size() > 0;
    }

    /** The category of the slice at a place, -1 for none. */
    int category(int place) {
        return place < categories.size() ? categories.get(place) : -1;
    }

    public Flows flows() {
        return flows;
    }

    /** The first rows of the args of slices. */
    int[] args() {
        return args.toArray();
    }

    /** The slices of {@link #args()}. */
    long[] slicesOfArgs() {
        return sliceOfArg;
    }

    /** The queue event of each slice in {@link #slicesOfMessages}. */
    int[] messages() {
        return messages.toArray();
    }

    /** The slices of {@link #messages()}. */
    int[] slicesOfMessages() {
        return sliceOfMessage;
    }
}

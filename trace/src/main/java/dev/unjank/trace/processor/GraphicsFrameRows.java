package dev.unjank.trace.processor;

import static dev.unjank.trace.processor.ProcessorTable.NULL;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Events of buffers that SurfaceFlinger reports: each event, and the phases of a buffer between them. */
final class GraphicsFrameRows {
    private static final String[] EVENTS = {
        "unspecified_event", "Dequeue", "Queue", "Post", "AcquireFenceSignaled", "Latch", "HWCCompositionQueued",
        "FallbackComposition", "PresentFenceSignaled", "ReleaseFenceSignaled", "Modify", "Detach", "Attach", "Cancel"
    };
    private static final int DEQUEUE = 1;
    private static final int QUEUE = 2;
    private static final int ACQUIRE = 4;
    private static final int LATCH = 5;
    private static final int PRESENT = 8;
    private static final int FRAME_NUMBER = 10;

    final ProcessorTable table = new ProcessorTable(
            "frame_slice",
            "id INT, ts INT, dur INT, track_id INT, category TEXT, name TEXT, depth INT, parent_id INT, arg_set_id INT,"
                    + " layer_name TEXT, frame_number INT, queue_to_acquire_time INT, acquire_to_latch_time INT,"
                    + " latch_to_present_time INT");
    private final ProcessorContext context;
    private final Map<String, long[]> times = new HashMap<>();
    private final Map<String, Integer> dequeued = new HashMap<>();
    private final Map<Integer, Integer> rowOfSlice = new HashMap<>();
    private final Map<String, Integer> appTracks = new HashMap<>();
    private final Map<String, Integer> gpuTracks = new HashMap<>();
    private final Map<String, Integer> sfTracks = new HashMap<>();
    private final Map<String, Integer> displayTracks = new HashMap<>();
    private final Map<String, Long> lastDequeued = new HashMap<>();
    private final Map<String, Long> lastAcquired = new HashMap<>();

    GraphicsFrameRows(ProcessorContext context) {
        this.context = context;
    }

    void event(long ts, ProtoFields packet) {
        ProtoFields event = packet.message(1);
        if (event == null) {
            return;
        }
        if (!event.has(5)) {
            context.metadata.count("graphics_frame_event_parser_errors");
            return;
        }
        String buffer = Long.toString(event.number(5));
        String layer = event.text(3);
        String key = buffer + layer;
        int type = (int) event.number(2);
        bufferEvent(ts, event, type, buffer, layer, key);
        phase(ts, event, type, buffer, layer, key);
    }

    private int track(String name) {
        return context.tracks.intern(
                "graphics_frame_event",
                context.args().string("name", name),
                TrackRows.Details.slices(context.intern(name)));
    }

    private void bufferEvent(long ts, ProtoFields event, int type, String buffer, String layer, String key) {
        String name = "unknown_event";
        long[] known = times.computeIfAbsent(key, _ -> new long[EVENTS.length]);
        if (event.has(2) && type < EVENTS.length) {
            name = EVENTS[type];
            known[type] = ts;
        } else {
            context.metadata.count("graphics_frame_event_parser_errors");
        }
        int track = track("Buffer: " + buffer + " " + layer);
        long number = event.number(1);
        int slice = context.slices.complete(ts, track, -1, context.intern(name), event.number(4), SliceRows.NO_ARGS);
        if (slice < 0) {
            return;
        }
        int row = add(slice, layer, number);
        table.set(row, 11, Math.max(known[ACQUIRE] - known[QUEUE], 0));
        table.set(row, 12, known[LATCH] - known[ACQUIRE]);
        table.set(row, 13, ts - known[LATCH]);
        if (type == DEQUEUE) {
            dequeued.put(key, row);
        } else if (type == QUEUE && dequeued.containsKey(key)) {
            table.set(dequeued.get(key), FRAME_NUMBER, number);
        }
    }

    private int add(int slice, String layer, long number) {
        long layerName = context.intern(layer.isEmpty() ? "no_layer_name" : layer);
        int row = table.add(slice, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, layerName, number);
        rowOfSlice.put(slice, row);
        return row;
    }

    /** A buffer is with the app, the GPU, SurfaceFlinger, then on the display. */
    private void phase(long ts, ProtoFields event, int type, String buffer, String layer, String key) {
        String phase;
        Map<String, Integer> tracks;
        long number = event.number(1);
        switch (type) {
            case DEQUEUE -> {
                invalidate(ts, appTracks.remove(key), true);
                invalidate(ts, gpuTracks.remove(key), false);
                lastDequeued.put(key, ts);
                phase = "APP_" + buffer + " " + layer;
                tracks = appTracks;
            }
            case QUEUE -> {
                queued(ts, appTracks.get(key), key, number);
                long acquired = lastAcquired.getOrDefault(key, 0L);
                if (acquired > lastDequeued.getOrDefault(key, 0L) && acquired < ts) {
                    return;
                }
                phase = "GPU_" + buffer + " " + layer;
                tracks = gpuTracks;
            }
            case ACQUIRE -> {
                end(ts, gpuTracks.remove(key));
                lastAcquired.put(key, ts);
                return;
            }
            case LATCH -> {
                invalidate(ts, appTracks.remove(key), true);
                phase = "SF_" + buffer + " " + layer;
                tracks = sfTracks;
            }
            case PRESENT -> {
                end(ts, sfTracks.remove(key));
                end(ts, displayTracks.remove(layer));
                phase = "Display_" + layer;
                tracks = displayTracks;
            }
            default -> {
                return;
            }
        }
        int track = track(phase);
        tracks.put(type == PRESENT ? layer : key, track);
        String name = Long.toString(number == 0 ? ts : number);
        int slice = context.slices.begin(ts, track, -1, context.intern(name), SliceRows.NO_ARGS);
        if (slice >= 0) {
            add(slice, layer, number);
        }
    }

    private int end(long ts, @Nullable Integer track) {
        return track == null ? -1 : context.slices.end(ts, track, -1, -1, SliceRows.NO_ARGS);
    }

    private void queued(long ts, @Nullable Integer track, String key, long number) {
        int slice = end(ts, track);
        if (slice >= 0) {
            context.slices.table.set(slice, SliceRows.NAME, context.intern(Long.toString(number)));
            table.set(rowOfSlice.getOrDefault(slice, 0), FRAME_NUMBER, number);
            appTracks.remove(key);
        }
    }

    /** Ends a phase whose end was not recorded: without a duration. */
    private void invalidate(long ts, @Nullable Integer track, boolean unnamed) {
        int slice = end(ts, track);
        if (slice >= 0) {
            if (unnamed) {
                context.slices.table.set(slice, SliceRows.NAME, context.intern("0"));
                table.set(rowOfSlice.getOrDefault(slice, 0), FRAME_NUMBER, 0);
            }
            context.slices.table.set(slice, SliceRows.DUR, -1);
        }
    }

    /** Copies what the slices have, and gives them their arguments. */
    void finish() {
        String[] names = {"queue_to_acquire_time", "acquire_to_latch_time", "latch_to_present_time"};
        for (int row = 0; row < table.rows(); row++) {
            int slice = (int) table.get(row, 0);
            ArgList args = context.args().integer("frame_number", table.get(row, FRAME_NUMBER));
            args.string("layer_name", (int) table.get(row, 9));
            for (int i = 0; i < names.length; i++) {
                if (table.get(row, 11 + i) != NULL) {
                    args.integer(names[i], table.get(row, 11 + i));
                }
            }
            context.slices.table.set(slice, 8, context.args.add(args.args()));
            for (int column = 1; column <= 8; column++) {
                table.set(row, column, context.slices.table.get(slice, column));
            }
        }
    }
}

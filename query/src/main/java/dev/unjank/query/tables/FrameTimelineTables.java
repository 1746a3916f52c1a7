package dev.unjank.query.tables;

import dev.unjank.query.load.NativeTable;
import dev.unjank.trace.model.Frames;
import dev.unjank.trace.model.JankType;
import dev.unjank.trace.model.Trace;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tables of the frame timeline. As in Perfetto, frames are slices too and share their id range: first the model's
 * slices, then the expected frames, then the actual frames.
 */
final class FrameTimelineTables {
    private static final int OF_APP =
            JankType.APP_DEADLINE_MISSED.bit() | JankType.UNKNOWN.bit() | JankType.APP_RESYNCED_JITTER.bit();
    private static final int OF_DISPLAY = JankType.SURFACE_FLINGER_SCHEDULING.bit()
            | JankType.PREDICTION_ERROR.bit()
            | JankType.DISPLAY_HAL.bit()
            | JankType.SURFACE_FLINGER_CPU_DEADLINE_MISSED.bit()
            | JankType.SURFACE_FLINGER_GPU_DEADLINE_MISSED.bit();
    private static final int INVISIBLE = JankType.NON_ANIMATING.bit()
            | JankType.DISPLAY_NOT_ON.bit()
            | JankType.MODE_CHANGE.bit()
            | JankType.POWER_MODE_CHANGE.bit();

    private final Supplier<Trace> trace;
    private final Supplier<TrackIds> tracks;
    private @Nullable List<Expected> expected;

    /** Creates the tables. */
    FrameTimelineTables(Supplier<Trace> trace, Supplier<TrackIds> tracks) {
        this.trace = trace;
        this.tracks = tracks;
    }

    NativeTable expectedSlices(Arena arena) {
        return expectedFrames(arena).alias("id", "slice_id");
    }

    NativeTable actualSlices(Arena arena) {
        return actualFrames(arena).alias("id", "slice_id");
    }

    NativeTable expectedFrames(Arena arena) {
        List<Expected> frames = expected();
        int firstId = trace.get().slices().size();
        TrackIds ids = tracks.get();
        return new NativeTable(arena, frames.size())
                .ints("id", row -> firstId + row)
                .longs("ts", row -> frames.get(row).ts())
                .longs("dur", row -> frames.get(row).dur())
                .ints("track_id", row -> ids.ofExpectedFrames(frames.get(row).upid()))
                .strings("name", row -> Long.toString(frames.get(row).token()))
                .ints("depth", _ -> 0)
                .longs("display_frame_token", row -> frames.get(row).displayToken())
                .longs("surface_frame_token", 0, row -> frames.get(row).surfaceToken())
                .ints("upid", row -> ProcessTable.upid(frames.get(row).upid()))
                .strings("layer_name", row -> frames.get(row).layer());
    }

    NativeTable actualFrames(Arena arena) {
        Frames frames = trace.get().frames();
        int firstId = trace.get().slices().size() + expected().size();
        TrackIds ids = tracks.get();
        return new NativeTable(arena, frames.size())
                .ints("id", row -> firstId + row)
                .longs("ts", frames::ts)
                .longs("dur", row -> frames.isOpen(row) ? -1 : frames.dur(row))
                .ints("track_id", row -> ids.ofActualFrames(frames.upid(row)))
                .strings("name", row -> Long.toString(token(frames, row)))
                .ints("depth", _ -> 0)
                .longs("display_frame_token", frames::displayToken)
                .longs("surface_frame_token", 0, frames::surfaceToken)
                .ints("upid", row -> ProcessTable.upid(frames.upid(row)))
                .strings("layer_name", frames::layer)
                .strings("present_type", row -> frames.presentType(row).text())
                .ints("on_time_finish", row -> frames.onTimeFinish(row) ? 1 : 0)
                .ints("gpu_composition", row -> frames.gpuComposition(row) ? 1 : 0)
                .strings("jank_type", row -> jankTypes(frames.jankMask(row)))
                .strings("jank_severity_type", row -> severity(frames, row))
                .strings("prediction_type", row -> frames.predictionType(row).text())
                .strings("jank_tag", row -> jankTag(frames, row));
    }

    private static String jankTypes(int mask) {
        return JankType.in(mask).stream().map(JankType::text).collect(Collectors.joining(", "));
    }

    /** Perfetto's jank tag. */
    private static String jankTag(Frames frames, int row) {
        int mask = frames.jankMask(row);
        boolean isOfDisplay = frames.surfaceToken(row) == 0;
        if (mask == 0 || JankType.NONE.isIn(mask)) {
            return "No Jank";
        } else if (JankType.DROPPED.isIn(mask)) {
            return "Dropped Frame";
        } else if ((mask & OF_APP) != 0) {
            return "Self Jank";
        } else if ((mask & OF_DISPLAY) != 0) {
            return isOfDisplay ? "Self Jank" : "Other Jank";
        } else if (mask == JankType.BUFFER_STUFFING.bit()) {
            return "Buffer Stuffing";
        } else if (mask == JankType.SURFACE_FLINGER_STUFFING.bit()) {
            return "SurfaceFlinger Stuffing";
        } else if ((mask & INVISIBLE) != 0) {
            return "Non-perceivable Jank";
        }
        return isOfDisplay ? "Self Jank" : "Other Jank";
    }

    /** Perfetto's severity: a frame without jank has none, even if it was not recorded. */
    private static String severity(Frames frames, int row) {
        return JankType.NONE.isIn(frames.jankMask(row))
                ? "None"
                : frames.severity(row).text();
    }

    private static long token(Frames frames, int row) {
        return frames.surfaceToken(row) != 0 ? frames.surfaceToken(row) : frames.displayToken(row);
    }

    /** An expected frame. */
    private record Expected(
            long ts,
            long deadline,
            int upid,
            long surfaceToken,
            long displayToken,
            @Nullable String layer) {
        long dur() {
            return deadline == Frames.NO_TIME ? -1 : deadline - ts;
        }

        long token() {
            return surfaceToken != 0 ? surfaceToken : displayToken;
        }
    }

    /** One expected frame per token (the layers of an app share a token), even if it has no actual frame. */
    private List<Expected> expected() {
        List<Expected> known = expected;
        if (known == null) {
            Frames frames = trace.get().frames();
            known = new ArrayList<>();
            record Key(int upid, long surfaceToken, long displayToken) {}
            Set<Key> seen = new HashSet<>();
            for (int row = 0; row < frames.size(); row++) {
                long surface = frames.surfaceToken(row);
                long display = frames.displayToken(row);
                Key key = new Key(frames.upid(row), surface, surface == 0 ? display : 0);
                if (frames.expectedStartNs(row) != Frames.NO_TIME && seen.add(key)) {
                    known.add(new Expected(
                            frames.expectedStartNs(row),
                            frames.deadlineNs(row),
                            frames.upid(row),
                            surface,
                            display,
                            frames.layer(row)));
                }
            }
            for (Frames.Missed missed : Stream.concat(frames.missed().stream(), frames.replaced().stream())
                    .toList()) {
                known.add(new Expected(
                        missed.expectedStartNs(),
                        missed.deadlineNs(),
                        missed.upid(),
                        missed.surfaceToken(),
                        missed.displayToken(),
                        trace.get().strings().getOrNull(missed.layerId())));
            }
            known.sort(Comparator.comparingLong(Expected::ts));
            expected = known;
        }
        return known;
    }
}

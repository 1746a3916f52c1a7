package dev.unjank.query;

import dev.unjank.query.NativeTable.Layout;
import dev.unjank.query.TrackIds.Kind;
import dev.unjank.query.TrackIds.Track;
import dev.unjank.trace.Frames;
import dev.unjank.trace.IntColumn;
import dev.unjank.trace.JankType;
import dev.unjank.trace.Slices;
import dev.unjank.trace.Strings;
import dev.unjank.trace.Trace;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What threads and processes said they did, the tracks it lies on, and frames. As with Perfetto, frames are slices too: those
 * of the model come first, then the expected frames, then the actual ones.
 */
final class SliceTables {
    private final Trace trace;
    private final SharedTexts texts;
    private final ArgTables args;
    private @Nullable TrackIds trackIds;
    private int @Nullable [] expected;

    SliceTables(Trace trace, SharedTexts texts, ArgTables args) {
        this.trace = trace;
        this.texts = texts;
        this.args = args;
    }

    TrackIds trackIds() {
        TrackIds ids = trackIds;
        if (ids == null) {
            ids = new TrackIds(trace);
            trackIds = ids;
        }
        return ids;
    }

    NativeTable slices(Arena arena) {
        Slices slices = trace.slices();
        TrackIds ids = trackIds();
        int[] tracks = new int[slices.size()];
        for (int utid = 0; utid < trace.threads().size(); utid++) {
            Arrays.fill(tracks, slices.first(utid), slices.end(utid), ids.ofThread(utid));
        }
        for (int row = slices.firstAsync(); row < tracks.length; row++) {
            tracks[row] = ids.ofAsync(row - slices.firstAsync());
        }
        Slices.Columns columns = slices.columns();
        NativeTable table = new NativeTable(arena, slices.size())
                .ints("id", row -> row)
                .alias("id", "slice_id")
                .with("ts", Layout.INT64, columns.ts().segment())
                .with("dur", Layout.INT64, columns.dur().segment())
                .ints("track_id", row -> tracks[row])
                .with("name", columns.name().segment(), texts.all())
                .with("depth", Layout.INT16, columns.depth().segment())
                .with("parent_id", Layout.INT32, columns.parent().segment(), -1);
        IntColumn categories = columns.category();
        if (categories.size() > 0) {
            table.texts("category", texts.all(), categories::get).alias("category", "cat");
        }
        return args.withSets(table);
    }

    private static @Nullable String nullIfEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    NativeTable expectedFrameSlices(Arena arena) {
        return asSlices(expectedFrames(arena));
    }

    NativeTable actualFrameSlices(Arena arena) {
        return asSlices(actualFrames(arena));
    }

    private static NativeTable asSlices(NativeTable frames) {
        return frames.alias("id", "slice_id");
    }

    NativeTable expectedFrames(Arena arena) {
        Frames frames = trace.frames();
        int[] rows = expectedRows();
        int firstId = trace.slices().size();
        TrackIds ids = trackIds();
        return new NativeTable(arena, rows.length)
                .ints("id", row -> firstId + row)
                .longs("ts", row -> frames.expectedStartNs(rows[row]))
                .longs("dur", row -> {
                    long deadline = frames.deadlineNs(rows[row]);
                    return deadline == Frames.NO_TIME ? -1 : deadline - frames.expectedStartNs(rows[row]);
                })
                .ints("track_id", row -> ids.ofExpectedFrames(frames.upid(rows[row])))
                .texts("name", row -> Long.toString(token(frames, rows[row])))
                .ints("depth", _ -> 0)
                .longs("display_frame_token", row -> frames.displayToken(rows[row]))
                .longs("surface_frame_token", 0, row -> frames.surfaceToken(rows[row]))
                .ints("upid", row -> frames.upid(rows[row]))
                .texts("layer_name", row -> frames.layer(rows[row]));
    }

    NativeTable actualFrames(Arena arena) {
        Frames frames = trace.frames();
        int firstId = trace.slices().size() + expectedRows().length;
        TrackIds ids = trackIds();
        return new NativeTable(arena, frames.size())
                .ints("id", row -> firstId + row)
                .longs("ts", frames::ts)
                .longs("dur", row -> frames.isOpen(row) ? -1 : frames.dur(row))
                .ints("track_id", row -> ids.ofActualFrames(frames.upid(row)))
                .texts("name", row -> Long.toString(token(frames, row)))
                .ints("depth", _ -> 0)
                .longs("display_frame_token", frames::displayToken)
                .longs("surface_frame_token", 0, frames::surfaceToken)
                .ints("upid", frames::upid)
                .texts("layer_name", frames::layer)
                .texts("present_type", row -> frames.presentType(row).text())
                .ints("on_time_finish", row -> frames.onTimeFinish(row) ? 1 : 0)
                .ints("gpu_composition", row -> frames.gpuComposition(row) ? 1 : 0)
                .texts("jank_type", row -> jank(frames.jankMask(row)))
                .texts("jank_tag", row -> jankTag(frames, row));
    }

    private static String jank(int mask) {
        return JankType.in(mask).stream().map(JankType::text).collect(Collectors.joining(", "));
    }

    /** Who is to blame, in Perfetto's words: the frame's own app, somebody else, or nobody. */
    private static @Nullable String jankTag(Frames frames, int row) {
        int mask = frames.jankMask(row);
        if (JankType.in(mask).isEmpty() || JankType.NONE.isIn(mask)) {
            return "No Jank";
        } else if (JankType.DROPPED.isIn(mask)) {
            return "Dropped Frame";
        } else if (JankType.APP_DEADLINE_MISSED.isIn(mask) || JankType.UNKNOWN.isIn(mask)) {
            return "Self Jank";
        } else if (JankType.in(mask).equals(Set.of(JankType.BUFFER_STUFFING))) {
            return "Buffer Stuffing";
        }
        return frames.surfaceToken(row) == 0 ? "Self Jank" : "Other Jank";
    }

    private static long token(Frames frames, int row) {
        return frames.surfaceToken(row) != 0 ? frames.surfaceToken(row) : frames.displayToken(row);
    }

    /** The actual frames that say what was expected, one for each expected frame: layers of one app share theirs. */
    private int[] expectedRows() {
        int[] rows = expected;
        if (rows == null) {
            Frames frames = trace.frames();
            record Key(int upid, long surfaceToken, long displayToken) {}
            Set<Key> seen = new HashSet<>();
            List<Integer> first = new ArrayList<>();
            for (int row = 0; row < frames.size(); row++) {
                long surface = frames.surfaceToken(row);
                Key key = new Key(frames.upid(row), surface, surface == 0 ? frames.displayToken(row) : 0);
                if (frames.expectedStartNs(row) != Frames.NO_TIME && seen.add(key)) {
                    first.add(row);
                }
            }
            rows = first.stream().mapToInt(Integer::intValue).toArray();
            expected = rows;
        }
        return rows;
    }

    NativeTable tracks(Arena arena) {
        return tracks(arena, allOf(Set.of(Kind.values())));
    }

    NativeTable threadTracks(Arena arena) {
        int[] ids = allOf(Set.of(Kind.THREAD));
        return tracks(arena, ids).ints("utid", row -> track(ids[row]).utid());
    }

    NativeTable processTracks(Arena arena) {
        int[] ids = allOf(Set.of(Kind.PROCESS, Kind.EXPECTED_FRAMES, Kind.ACTUAL_FRAMES));
        return tracks(arena, ids).ints("upid", row -> track(ids[row]).upid());
    }

    NativeTable counterTracks(Arena arena) {
        int[] ids = allOf(Set.of(Kind.COUNTER));
        return tracks(arena, ids)
                .texts(
                        "unit",
                        row -> nullIfEmpty(trace.counters().unit(track(ids[row]).counter())))
                .ints("utid", -1, row -> track(ids[row]).utid())
                .ints("upid", -1, row -> track(ids[row]).upid());
    }

    private NativeTable tracks(Arena arena, int[] ids) {
        return new NativeTable(arena, ids.length)
                .ints("id", row -> ids[row])
                .texts("name", row -> name(track(ids[row])))
                .texts("type", row -> track(ids[row]).kind().type);
    }

    private @Nullable String name(Track track) {
        Strings strings = trace.strings();
        return switch (track.kind()) {
            case COUNTER -> trace.counters().name(track.counter());
            case EXPECTED_FRAMES -> "Expected Timeline";
            case ACTUAL_FRAMES -> "Actual Timeline";
            default -> strings.getOrNull(track.nameId());
        };
    }

    private Track track(int id) {
        return trackIds().tracks.get(id);
    }

    private int[] allOf(Set<Kind> kinds) {
        List<Track> tracks = trackIds().tracks;
        return IntStream.range(0, tracks.size())
                .filter(id -> kinds.contains(tracks.get(id).kind()))
                .toArray();
    }
}

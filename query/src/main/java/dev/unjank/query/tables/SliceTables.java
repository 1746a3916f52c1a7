package dev.unjank.query.tables;

import dev.unjank.query.load.NativeTable;
import dev.unjank.query.load.NativeTable.Layout;
import dev.unjank.query.tables.TrackIds.Kind;
import dev.unjank.query.tables.TrackIds.Track;
import dev.unjank.trace.model.Counters;
import dev.unjank.trace.model.IntColumn;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Strings;
import dev.unjank.trace.model.Trace;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Tables of slices and their tracks. {@link FrameTimelineTables} has the slices of frames. */
final class SliceTables {
    private final Supplier<Trace> trace;
    private final SharedStrings strings;
    private final ArgTables args;
    private @Nullable TrackIds trackIds;

    SliceTables(Supplier<Trace> trace, SharedStrings strings, ArgTables args) {
        this.trace = trace;
        this.strings = strings;
        this.args = args;
    }

    TrackIds trackIds() {
        TrackIds ids = trackIds;
        if (ids == null) {
            ids = new TrackIds(trace.get());
            trackIds = ids;
        }
        return ids;
    }

    NativeTable slices(Arena arena) {
        Slices slices = trace.get().slices();
        TrackIds ids = trackIds();
        int[] tracks = new int[slices.size()];
        for (int utid = 0; utid < trace.get().threads().size(); utid++) {
            Arrays.fill(tracks, slices.first(utid), slices.end(utid), ids.ofThread(utid));
        }
        for (int row = slices.firstAsync(); row < tracks.length; row++) {
            tracks[row] = ids.ofAsync(row - slices.firstAsync());
        }
        Slices.Columns columns = slices.columns();
        NativeTable table = new NativeTable(arena, slices.size())
                .ints("id", row -> row)
                .alias("id", "slice_id")
                .column("ts", Layout.INT64, columns.ts().segment())
                .column("dur", Layout.INT64, columns.dur().segment())
                .ints("track_id", row -> tracks[row])
                .column("name", columns.name().segment(), strings.traceStrings())
                .column("depth", Layout.INT16, columns.depth().segment())
                .column("parent_id", Layout.INT32, columns.parent().segment(), -1);
        IntColumn categories = columns.category();
        if (categories.size() > 0) {
            table.strings("category", strings.traceStrings(), categories::get).alias("category", "cat");
        }
        return args.withSets(table);
    }

    private static @Nullable String nullIfEmpty(String text) {
        return text.isEmpty() ? null : text;
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
        return tracks(arena, ids)
                .ints("upid", row -> ProcessTable.upid(track(ids[row]).upid()));
    }

    NativeTable counterTracks(Arena arena) {
        int[] ids = allOf(Set.of(Kind.COUNTER));
        return tracks(arena, ids)
                .strings(
                        "unit",
                        row -> nullIfEmpty(
                                trace.get().counters().unit(track(ids[row]).counter())))
                .ints("utid", -1, row -> track(ids[row]).utid())
                .ints("upid", -1, row -> ProcessTable.upid(track(ids[row]).upid()))
                .ints(
                        "ucpu",
                        -1,
                        row -> trace.get().counters().cpu(track(ids[row]).counter()));
    }

    private NativeTable tracks(Arena arena, int[] ids) {
        return new NativeTable(arena, ids.length)
                .ints("id", row -> ids[row])
                .strings("name", row -> name(track(ids[row])))
                .strings("type", row -> type(track(ids[row])))
                .ints("machine_id", _ -> 0);
    }

    /** The type of a counter follows from its owner and its name. */
    private String type(Track track) {
        if (track.kind() != Kind.COUNTER || track.utid() >= 0) {
            return track.kind().type;
        }
        Counters counters = trace.get().counters();
        String name = counters.name(track.counter());
        if (counters.cpu(track.counter()) >= 0) {
            return typeOfCpu(name);
        } else if (track.upid() >= 0) {
            return name.startsWith("mem.")
                    ? "process_memory"
                    : name.equals("oom_score_adj") ? "oom_score_adj" : "atrace_counter";
        } else if (name.endsWith(" Frequency")) {
            return "clock_frequency";
        }
        return name.endsWith(" State") ? "clock_state" : track.kind().type;
    }

    private static String typeOfCpu(String name) {
        return switch (name) {
            case Counters.CPU_FREQUENCY -> "cpu_frequency";
            case Counters.CPU_IDLE -> "cpu_idle";
            default -> {
                if (name.startsWith(Counters.CPU_IDLE)) {
                    yield "cpu_idle_state";
                } else if (name.endsWith(" Max Freq Limit")) {
                    yield "cpu_max_frequency_limit";
                }
                yield name.endsWith(" Min Freq Limit") ? "cpu_min_frequency_limit" : Kind.COUNTER.type;
            }
        };
    }

    private @Nullable String name(Track track) {
        Strings names = trace.get().strings();
        return switch (track.kind()) {
            case COUNTER -> trace.get().counters().name(track.counter());
            case EXPECTED_FRAMES -> "Expected Timeline";
            case ACTUAL_FRAMES -> "Actual Timeline";
            default -> {
                String name = names.getOrNull(track.nameId());
                yield name == null ? null : nullIfEmpty(name);
            }
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

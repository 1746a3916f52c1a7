package dev.unjank.query.tables;

import static dev.unjank.query.load.TableDefinition.table;
import static dev.unjank.query.load.TableDefinition.view;

import dev.unjank.query.load.NativeTable;
import dev.unjank.query.load.NativeTable.Layout;
import dev.unjank.query.load.TableDefinition;
import dev.unjank.trace.model.Flows;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Perfetto's tables over the model of a trace, with Perfetto's names and columns. Columns without data in the model
 * exist and are NULL, so that queries that use them run.
 *
 * <p>Ids are row numbers of the model: they join like Perfetto's but have other values, and rows are not sorted by time
 * without ORDER BY.
 */
public final class TraceTables {
    private static final String SLICE_COLUMNS =
            "id INT, ts INT, dur INT, track_id INT, category TEXT, name TEXT, depth INT,"
                    + " parent_id INT, arg_set_id INT, thread_ts INT, thread_dur INT, thread_instruction_count INT,"
                    + " thread_instruction_delta INT, cat TEXT, slice_id INT";
    private static final String TRACK_COLUMNS =
            "id INT, name TEXT, type TEXT, parent_id INT, source_arg_set_id INT, machine_id INT";
    private static final String COUNTER_TRACK_COLUMNS = "id INT, name TEXT, type TEXT, parent_id INT,"
            + " source_arg_set_id INT, machine_id INT, unit TEXT, description TEXT";
    private static final String THREAD_STATE_COLUMNS =
            "id INT, ts INT, dur INT, cpu INT, utid INT, state TEXT, io_wait INT, blocked_function TEXT,"
                    + " waker_utid INT, waker_id INT, irq_context INT, ucpu INT";
    private static final String FRAME_COLUMNS =
            "id INT, ts INT, dur INT, track_id INT, category TEXT, name TEXT, depth INT,"
                    + " parent_id INT, arg_set_id INT, display_frame_token INT, surface_frame_token INT, upid INT, layer_name TEXT";

    private final Supplier<Trace> trace;
    private final SchedTables sched;
    private final SliceTables slices;
    private final FrameTimelineTables frames;
    private final ArgTables args;
    private final ProcessTable processes;

    public TraceTables(Supplier<Trace> trace, SharedStrings strings) {
        this.trace = trace;
        this.sched = new SchedTables(trace, strings);
        this.processes = new ProcessTable(trace);
        this.args = new ArgTables(trace, strings, processes);
        this.slices = new SliceTables(trace, strings, args);
        this.frames = new FrameTimelineTables(trace, slices::trackIds);
    }

    /** All tables. */
    public List<TableDefinition> definitions() {
        return Stream.of(
                        events(),
                        args.definitions(),
                        List.of(MonitorContentionTable.of(trace, slices::trackIds)),
                        new StartupTables(trace).definitions(),
                        new MetadataTables(trace).definitions(),
                        new CpuTables(trace).definitions(),
                        List.of(StatisticsTable.of(trace)),
                        new ProfileTables(trace).definitions())
                .flatMap(List::stream)
                .toList();
    }

    private List<TableDefinition> events() {
        return List.of(
                table("slice", SLICE_COLUMNS, slices::slices, frames::expectedSlices, frames::actualSlices),
                view("slices", SLICE_COLUMNS, "SELECT * FROM slice"),
                view(
                        "instant",
                        "ts INT, track_id INT, name TEXT, arg_set_id INT",
                        "SELECT ts, track_id, name, arg_set_id FROM slice WHERE dur = 0"),
                view(
                        "thread_slice",
                        "id INT, ts INT, dur INT, category TEXT, name TEXT, track_id INT, track_name TEXT, thread_name TEXT,"
                                + " utid INT, tid INT, is_main_thread INT, process_name TEXT, upid INT, pid INT, depth INT,"
                                + " parent_id INT, arg_set_id INT, thread_ts INT, thread_dur INT",
                        """
                        SELECT s.id, s.ts, s.dur, s.category, s.name, s.track_id, t.name AS track_name,
                            thread.name AS thread_name, thread.utid, thread.tid, thread.is_main_thread,
                            process.name AS process_name, process.upid, process.pid, s.depth, s.parent_id, s.arg_set_id,
                            s.thread_ts, s.thread_dur
                        FROM slice s JOIN thread_track t ON s.track_id = t.id JOIN thread ON t.utid = thread.utid
                        LEFT JOIN process ON thread.upid = process.upid"""),
                view(
                        "process_slice",
                        "id INT, ts INT, dur INT, category TEXT, name TEXT, track_id INT, track_name TEXT, process_name TEXT,"
                                + " upid INT, pid INT, depth INT, parent_id INT, arg_set_id INT, thread_ts INT,"
                                + " thread_dur INT",
                        """
                        SELECT s.id, s.ts, s.dur, s.category, s.name, s.track_id, t.name AS track_name,
                            process.name AS process_name, process.upid, process.pid, s.depth, s.parent_id, s.arg_set_id,
                            s.thread_ts, s.thread_dur
                        FROM slice s JOIN process_track t ON s.track_id = t.id JOIN process ON t.upid = process.upid"""),
                table("flow", "id INT, slice_out INT, slice_in INT, trace_id INT, arg_set_id INT", this::flows),
                table(
                        "thread",
                        "utid INT, id INT, tid INT, name TEXT, start_ts INT, end_ts INT, upid INT, is_main_thread INT,"
                                + " is_idle INT, machine_id INT, arg_set_id INT",
                        this::threads),
                table(
                        "process",
                        "upid INT, id INT, pid INT, name TEXT, start_ts INT, end_ts INT, parent_upid INT, uid INT,"
                                + " android_appid INT, android_user_id INT, cmdline TEXT, arg_set_id INT, machine_id INT",
                        processes::processes),
                table(
                        "track",
                        "id INT, name TEXT, type TEXT, dimension_arg_set_id INT, parent_id INT, source_arg_set_id INT,"
                                + " machine_id INT, track_group_id INT",
                        slices::tracks),
                table("thread_track", TRACK_COLUMNS + ", utid INT", slices::threadTracks),
                table("process_track", TRACK_COLUMNS + ", upid INT", slices::processTracks),
                table("thread_state", THREAD_STATE_COLUMNS, sched::threadStates),
                table("unjank_thread_state", THREAD_STATE_COLUMNS + ", priority INT", sched::ownThreadStates),
                table(
                        "sched",
                        "id INT, ts INT, dur INT, cpu INT, utid INT, end_state TEXT, priority INT, ucpu INT, ts_end INT",
                        sched::runs),
                view(
                        "sched_slice",
                        "id INT, ts INT, dur INT, cpu INT, utid INT, end_state TEXT, priority INT, ucpu INT",
                        "SELECT id, ts, dur, cpu, utid, end_state, priority, ucpu FROM sched"),
                table("counter", "id INT, ts INT, track_id INT, value REAL, arg_set_id INT", this::counters),
                view(
                        "counters",
                        "id INT, ts INT, track_id INT, value REAL, arg_set_id INT, name TEXT, unit TEXT",
                        "SELECT v.*, t.name, t.unit FROM counter v JOIN counter_track t ON v.track_id = t.id"),
                table("counter_track", COUNTER_TRACK_COLUMNS + ", utid INT, upid INT, ucpu INT", slices::counterTracks),
                view(
                        "thread_counter_track",
                        COUNTER_TRACK_COLUMNS + ", utid INT",
                        "SELECT * EXCLUDE (upid, ucpu) FROM counter_track WHERE utid IS NOT NULL"),
                view(
                        "process_counter_track",
                        COUNTER_TRACK_COLUMNS + ", upid INT",
                        "SELECT * EXCLUDE (utid, ucpu) FROM counter_track WHERE upid IS NOT NULL"),
                view(
                        "cpu_counter_track",
                        COUNTER_TRACK_COLUMNS + ", ucpu INT, cpu INT",
                        "SELECT * EXCLUDE (utid, upid), ucpu AS cpu FROM counter_track WHERE ucpu IS NOT NULL"),
                table("expected_frame_timeline_slice", FRAME_COLUMNS, frames::expectedFrames),
                table(
                        "actual_frame_timeline_slice",
                        FRAME_COLUMNS
                                + ", present_type TEXT, on_time_finish INT, gpu_composition INT, jank_type TEXT,"
                                + " jank_severity_type TEXT, prediction_type TEXT, jank_tag TEXT,"
                                + " jank_tag_experimental TEXT, jank_score REAL",
                        frames::actualFrames));
    }

    private NativeTable flows(Arena arena) {
        Flows flows = trace.get().flows();
        return new NativeTable(arena, flows.size())
                .ints("id", row -> row)
                .ints("slice_out", row -> isBackward(flows, row) ? flows.in(row) : flows.out(row))
                .ints("slice_in", row -> isBackward(flows, row) ? flows.out(row) : flows.in(row))
                .longs("trace_id", Flows.NO_ID, row -> flows.columns().id().get(row));
    }

    /** Whether the cause of a flow begins later, because the flow was only added at its end. */
    private boolean isBackward(Flows flows, int row) {
        Slices all = trace.get().slices();
        return all.ts(flows.out(row)) > all.ts(flows.in(row));
    }

    private NativeTable threads(Arena arena) {
        Threads threads = trace.get().threads();
        return new NativeTable(arena, threads.size())
                .ints("utid", row -> row)
                .alias("utid", "id")
                .ints("tid", threads::tid)
                .strings("name", threads::name)
                .longs("start_ts", Long.MIN_VALUE, threads::startNs)
                .longs("end_ts", Long.MAX_VALUE, threads::endNs)
                .ints("upid", -1, row -> row == Threads.IDLE ? 0 : ProcessTable.upid(threads.upid(row)))
                .ints("is_main_thread", -1, row -> isMain(threads, row))
                .ints("is_idle", row -> row == Threads.IDLE ? 1 : 0)
                .ints("machine_id", _ -> 0);
    }

    private static int isMain(Threads threads, int utid) {
        if (utid == Threads.IDLE) {
            return 1;
        }
        return threads.upid(utid) < 0 ? -1 : threads.isMain(utid) ? 1 : 0;
    }

    private NativeTable counters(Arena arena) {
        var counters = trace.get().counters();
        int rows = counters.tracks() == 0 ? 0 : counters.end(counters.tracks() - 1);
        TrackIds tracks = slices.trackIds();
        int[] trackOf = new int[rows];
        for (int track = 0; track < counters.tracks(); track++) {
            Arrays.fill(trackOf, counters.first(track), counters.end(track), tracks.ofCounter(track));
        }
        return new NativeTable(arena, rows)
                .ints("id", row -> row)
                .column("ts", Layout.INT64, counters.columns().ts().segment())
                .ints("track_id", row -> trackOf[row])
                .doubles("value", counters::value);
    }
}

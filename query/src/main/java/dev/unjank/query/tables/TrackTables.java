package dev.unjank.query.tables;

import static dev.unjank.query.load.TableDefinition.table;
import static dev.unjank.query.load.TableDefinition.view;

import dev.unjank.query.load.TableDefinition;
import java.util.List;

/** Trace processor's tables of tracks: one with every column, and Perfetto's views of it. */
final class TrackTables {
    private static final String SHARED =
            "id INT, name TEXT, type TEXT, parent_id INT, source_arg_set_id INT, machine_id INT";
    private static final String SHARED_NAMES = "id, name, type, parent_id, source_arg_set_id, machine_id";
    private static final String COUNTER = SHARED + ", unit TEXT, description TEXT";
    private static final String COUNTER_NAMES = SHARED_NAMES + ", unit, description";

    private final ProcessorSource source;

    TrackTables(ProcessorSource source) {
        this.source = source;
    }

    List<TableDefinition> definitions() {
        return List.of(
                table(
                        "_track",
                        "id INT, name TEXT, type TEXT, dimension_arg_set_id INT, parent_id INT, source_arg_set_id INT,"
                                + " machine_id INT, track_group_id INT, is_counter INT, unit TEXT, description TEXT,"
                                + " utid INT, upid INT, cpu INT, ugpu INT, gpu INT, perf_session_id INT, context_id INT,"
                                + " is_timebase INT",
                        source.rows("_track")),
                view(
                        "track",
                        "id INT, name TEXT, type TEXT, dimension_arg_set_id INT, parent_id INT, source_arg_set_id INT,"
                                + " machine_id INT, track_group_id INT",
                        "SELECT id, name, type, dimension_arg_set_id, parent_id, source_arg_set_id, machine_id,"
                                + " track_group_id FROM _track"),
                slices("thread_track", ", utid INT", ", utid", "utid IS NOT NULL"),
                slices("process_track", ", upid INT", ", upid", "upid IS NOT NULL"),
                slices("cpu_track", ", cpu INT", ", cpu", "cpu IS NOT NULL"),
                view(
                        "gpu_track",
                        SHARED.replace("machine_id", "dimension_arg_set_id INT, machine_id")
                                + ", scope TEXT, description TEXT, context_id INT",
                        "SELECT id, name, type, parent_id, source_arg_set_id, dimension_arg_set_id, machine_id, type AS scope,"
                                + " description, context_id FROM _track WHERE type IN ('drm_vblank', 'drm_sched_ring',"
                                + " 'drm_fence', 'mali_mcu_state', 'gpu_render_stage', 'vulkan_events', 'gpu_log',"
                                + " 'graphics_frame_event')"),
                view(
                        "counter_track",
                        "id INT, name TEXT, parent_id INT, type TEXT, dimension_arg_set_id INT, source_arg_set_id INT,"
                                + " machine_id INT, unit TEXT, description TEXT",
                        "SELECT id, name, parent_id, type, dimension_arg_set_id, source_arg_set_id, machine_id, unit,"
                                + " description FROM _track WHERE is_counter = 1"),
                counters("thread_counter_track", ", utid INT", ", utid", "utid IS NOT NULL"),
                counters("process_counter_track", ", upid INT", ", upid", "upid IS NOT NULL"),
                counters("cpu_counter_track", ", cpu INT", ", cpu", "cpu IS NOT NULL"),
                counters("gpu_counter_track", ", ugpu INT, gpu_id INT", ", ugpu, gpu AS gpu_id", "ugpu IS NOT NULL"),
                counters(
                        "perf_counter_track",
                        ", perf_session_id INT, cpu INT, is_timebase INT",
                        ", perf_session_id, cpu, is_timebase",
                        "perf_session_id IS NOT NULL"));
    }

    private static TableDefinition slices(String name, String columns, String names, String condition) {
        return view(
                name,
                SHARED + columns,
                "SELECT " + SHARED_NAMES + names + " FROM _track WHERE is_counter = 0 AND " + condition);
    }

    private static TableDefinition counters(String name, String columns, String names, String condition) {
        return view(
                name,
                COUNTER + columns,
                "SELECT " + COUNTER_NAMES + names + " FROM _track WHERE is_counter = 1 AND " + condition);
    }
}

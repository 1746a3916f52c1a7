-- How long each frame of an app took, and by how much it missed its deadline.
INCLUDE PERFETTO MODULE android.frames.timeline;

-- The time between the expected and the actual end of a frame; negative if it was early.
CREATE PERFETTO TABLE android_frames_overrun AS
SELECT
  CAST(actual.name AS INT) AS frame_id,
  min(actual.ts + actual.dur) - min(expected.ts + expected.dur) AS overrun
FROM actual_frame_timeline_slice AS actual
JOIN expected_frame_timeline_slice AS expected ON expected.name = actual.name
WHERE expected.dur != -1 AND actual.dur != -1
GROUP BY 1
ORDER BY 1;

-- The time of the main thread.
CREATE PERFETTO TABLE android_frames_ui_time AS
SELECT do.frame_id, slice.dur AS ui_time
FROM android_frames_choreographer_do_frame AS do
JOIN slice ON slice.id = do.id
ORDER BY do.frame_id;

CREATE PERFETTO TABLE _frame_times AS
SELECT
  frame.frame_id,
  frame.actual_frame_timeline_id,
  frame.ts - expected.ts AS app_vsync_delay,
  do.dur AS do_frame_dur,
  draw.dur AS draw_frame_dur
FROM android_frames_layers AS frame
JOIN slice AS do ON do.id = frame.do_frame_id
JOIN slice AS draw ON draw.id = frame.draw_frame_id
JOIN expected_frame_timeline_slice AS expected ON expected.id = frame.expected_frame_timeline_id;

-- The time from the expected start of a frame to its actual start.
CREATE PERFETTO TABLE android_app_vsync_delay_per_frame AS
SELECT frame_id, min(app_vsync_delay) AS app_vsync_delay
FROM _frame_times
WHERE actual_frame_timeline_id IS NOT NULL
GROUP BY frame_id
ORDER BY frame_id;

CREATE PERFETTO TABLE _frame_cpu_times AS
SELECT
  frame_id, min(app_vsync_delay) AS app_vsync_delay, min(do_frame_dur) AS do_frame_dur,
  max(draw_frame_dur) AS draw_frame_dur, max(actual_frame_timeline_id IS NOT NULL) AS is_actual
FROM _frame_times
GROUP BY frame_id;

-- The delay and the times of both threads together.
CREATE PERFETTO TABLE android_cpu_time_per_frame AS
SELECT
  frame_id, app_vsync_delay, do_frame_dur, draw_frame_dur, app_vsync_delay + do_frame_dur + draw_frame_dur AS cpu_time
FROM _frame_cpu_times
WHERE is_actual
ORDER BY frame_id;

-- All of these, and whether the frame missed its deadline or took more than 20, 50 or 200 ms.
CREATE PERFETTO TABLE android_frame_stats AS
WITH stats AS (
  SELECT
    overrun.frame_id, overrun.overrun, cpu.app_vsync_delay + cpu.do_frame_dur + cpu.draw_frame_dur AS cpu_time, ui.ui_time
  FROM android_frames_overrun AS overrun
  JOIN android_frames_ui_time AS ui ON ui.frame_id = overrun.frame_id
  JOIN _frame_cpu_times AS cpu ON cpu.frame_id = overrun.frame_id
)
SELECT
  frame_id,
  overrun,
  cpu_time,
  ui_time,
  iif(overrun > 0, 1, NULL) AS was_jank,
  iif(cpu_time > 20000000, 1, NULL) AS was_slow_frame,
  iif(cpu_time > 50000000, 1, NULL) AS was_big_jank,
  iif(cpu_time > 200000000, 1, NULL) AS was_huge_jank
FROM stats
ORDER BY frame_id;

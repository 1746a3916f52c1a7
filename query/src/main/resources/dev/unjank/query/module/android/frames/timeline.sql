-- Frames of apps: their slices on the main and on the render thread, and their entries in the frame timeline.
INCLUDE PERFETTO MODULE slices.with_context;

CREATE PERFETTO TABLE _numbered_frame_slices AS
SELECT id, name, CAST(str_split(name, ' ', 1) AS INT) AS frame_id, utid, upid, ts, dur
FROM thread_slice
WHERE name GLOB 'Choreographer#doFrame*' OR name GLOB 'DrawFrame*';

CREATE PERFETTO TABLE android_frames_choreographer_do_frame AS
SELECT id, frame_id, utid AS ui_thread_utid, upid, ts
FROM _numbered_frame_slices
WHERE name GLOB 'Choreographer#doFrame*' AND frame_id != 0
ORDER BY id;

CREATE PERFETTO TABLE android_frames_draw_frame AS
SELECT id, frame_id, utid AS render_thread_utid, upid
FROM _numbered_frame_slices
WHERE name GLOB 'DrawFrame*' AND frame_id != 0
ORDER BY id;

CREATE PERFETTO TABLE _expected_frames AS
SELECT CAST(name AS INT) AS frame_id, upid, min(id) AS id, count(*) AS frames
FROM expected_frame_timeline_slice
GROUP BY CAST(name AS INT), upid;

-- With frame numbers in the slices' names, since Android 9: a row for each layer and each DrawFrame.
CREATE PERFETTO TABLE android_frames_layers AS
WITH frame AS (
  SELECT
    do.frame_id,
    coalesce(actual.ts, do.ts) AS ts,
    coalesce(
      actual.dur, max(draw_slice.ts + draw_slice.dur) OVER (PARTITION BY do.id) - do.ts
    ) AS dur,
    do.id AS do_frame_id,
    draw.id AS draw_frame_id,
    actual.id AS actual_frame_timeline_id,
    expected.id AS expected_frame_timeline_id,
    draw.render_thread_utid,
    do.ui_thread_utid,
    actual.layer_name,
    do.upid
  FROM android_frames_choreographer_do_frame AS do
  JOIN android_frames_draw_frame AS draw ON draw.frame_id = do.frame_id AND draw.upid = do.upid
  JOIN slice AS draw_slice ON draw_slice.id = draw.id
  LEFT JOIN actual_frame_timeline_slice AS actual
    ON CAST(actual.name AS INT) = do.frame_id AND actual.upid = do.upid
  LEFT JOIN _expected_frames AS expected ON expected.frame_id = do.frame_id AND expected.upid = do.upid
)
SELECT
  frame.frame_id, frame.ts, frame.dur, frame.ts + frame.dur AS ts_end, frame.do_frame_id, frame.draw_frame_id,
  frame.actual_frame_timeline_id, frame.expected_frame_timeline_id, frame.render_thread_utid, frame.ui_thread_utid,
  CAST(str_split(frame.layer_name, '#', 1) AS INT) AS layer_id, frame.layer_name, frame.upid,
  process.name AS process_name
FROM frame
LEFT JOIN process ON process.upid = frame.upid
ORDER BY frame.frame_id, frame.actual_frame_timeline_id, frame.draw_frame_id;

-- One row for each frame.
CREATE PERFETTO TABLE _numbered_frames AS
SELECT
  frame.frame_id,
  min(frame.ts) AS ts,
  max(frame.dur) AS dur,
  min(frame.do_frame_id) AS do_frame_id,
  min(frame.draw_frame_id) AS draw_frame_id,
  min(frame.actual_frame_timeline_id) AS actual_frame_timeline_id,
  min(frame.expected_frame_timeline_id) AS expected_frame_timeline_id,
  min(frame.render_thread_utid) AS render_thread_utid,
  min(frame.ui_thread_utid) AS ui_thread_utid,
  count(DISTINCT frame.actual_frame_timeline_id) AS actual_frame_timeline_count,
  max(expected.frames) AS expected_frame_timeline_count,
  count(DISTINCT frame.draw_frame_id) AS draw_frame_count,
  frame.upid
FROM android_frames_layers AS frame
LEFT JOIN _expected_frames AS expected ON expected.frame_id = frame.frame_id AND expected.upid = frame.upid
GROUP BY frame.frame_id, frame.upid;

-- Without frame numbers: DrawFrame slices before the next doFrame of the process belong to the previous doFrame.
CREATE PERFETTO TABLE _unnumbered_frames AS
WITH do AS (
  SELECT id, ts, lead(ts, 1, trace_end()) OVER (PARTITION BY upid ORDER BY ts) AS next_ts, utid, upid
  FROM thread_slice
  WHERE is_main_thread = 1 AND name = 'Choreographer#doFrame'
),
pair AS (
  SELECT
    do.id, do.ts, do.utid, do.upid, draw.id AS draw_id, draw.utid AS draw_utid, draw.ts + draw.dur AS draw_end
  FROM do
  JOIN thread_slice AS draw
    ON draw.upid = do.upid AND draw.ts >= do.ts AND draw.ts < do.next_ts AND draw.name = 'DrawFrame'
)
SELECT
  row_number() OVER (ORDER BY min(ts)) AS frame_id,
  min(ts) AS ts,
  max(draw_end) - min(ts) AS dur,
  id AS do_frame_id,
  min(draw_id) AS draw_frame_id,
  CAST(NULL AS INT) AS actual_frame_timeline_id,
  CAST(NULL AS INT) AS expected_frame_timeline_id,
  min(draw_utid) AS render_thread_utid,
  min(utid) AS ui_thread_utid,
  CAST(NULL AS INT) AS actual_frame_timeline_count,
  CAST(NULL AS INT) AS expected_frame_timeline_count,
  count(*) AS draw_frame_count,
  min(upid) AS upid
FROM pair
GROUP BY id;

CREATE PERFETTO TABLE android_frames AS
SELECT frames.*, process.name AS process_name
FROM (
  SELECT * FROM _numbered_frames WHERE EXISTS (SELECT 1 FROM actual_frame_timeline_slice)
  UNION ALL
  SELECT * FROM _unnumbered_frames WHERE NOT EXISTS (SELECT 1 FROM actual_frame_timeline_slice)
) AS frames
LEFT JOIN process ON process.upid = frames.upid
ORDER BY frame_id, ts;

CREATE PERFETTO FUNCTION android_first_frame_after(ts TIMESTAMP)
RETURNS TABLE(
  frame_id LONG, ts TIMESTAMP, dur DURATION, do_frame_id LONG, draw_frame_id LONG, actual_frame_timeline_id LONG,
  expected_frame_timeline_id LONG, render_thread_utid LONG, ui_thread_utid LONG
) AS
SELECT
  frame_id, min(ts) AS ts, dur, do_frame_id, draw_frame_id, actual_frame_timeline_id, expected_frame_timeline_id,
  render_thread_utid, ui_thread_utid
FROM android_frames
WHERE ts > $ts
HAVING min(ts) IS NOT NULL;

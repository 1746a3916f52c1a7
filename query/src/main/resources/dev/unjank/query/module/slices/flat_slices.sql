-- The innermost slice at each time of a thread: slices are split where a child slice starts or ends.
INCLUDE PERFETTO MODULE slices.with_context;

CREATE PERFETTO TABLE _slice_flattened AS
WITH closed AS (
  SELECT id, parent_id, ts, iif(dur = -1, trace_end(), ts + dur) AS ts_end, depth, track_id FROM thread_slice
  WHERE dur != 0
),
edge AS (
  -- the innermost slice after a start is that slice, after an end its parent
  SELECT ts, id AS slice_id, depth, track_id, 1 AS is_begin, ts_end FROM closed
  UNION ALL
  SELECT ts_end, parent_id, depth - 1, track_id, 0, ts_end FROM closed
),
piece AS (
  SELECT
    ts,
    lead(ts) OVER (PARTITION BY track_id ORDER BY ts, is_begin, iif(is_begin, depth, -depth)) - ts AS dur,
    slice_id
  FROM edge
)
SELECT
  slice.id AS slice_id, piece.ts, piece.dur, slice.depth, slice.name, slice.utid, slice.tid, slice.thread_name, slice.upid,
  slice.pid, slice.process_name
FROM piece
JOIN thread_slice AS slice ON slice.id = piece.slice_id
WHERE piece.dur > 0;

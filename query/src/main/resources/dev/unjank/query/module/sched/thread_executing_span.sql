-- Critical paths of threads: the waker of a thread, the waker of the waker, and so on.

-- Spans of threads: each from a wakeup by another thread until the sleep before the next such wakeup. Sleeps that end with an
-- interrupt or with the completion of I/O belong to the span.
CREATE PERFETTO TABLE _executing_span AS
WITH ordered AS (
  SELECT
    id,
    utid,
    ts,
    state,
    waker_utid,
    lag(ts) OVER w AS before_ts,
    lag(state) OVER w AS before_state,
    lag(io_wait) OVER w AS before_io_wait,
    first_value(id) OVER w = id AS is_first,
    max(iif(dur = -1, trace_end(), ts + dur)) OVER (PARTITION BY utid) AS last_ts
  FROM thread_state
  WINDOW w AS (PARTITION BY utid ORDER BY ts)
),
beginning AS (
  SELECT id, utid, ts, iif(is_first, ts, before_ts) AS idle_ts, iif(is_first, NULL, waker_utid) AS waker_utid, last_ts
  FROM ordered
  WHERE is_first
    OR (
      state = 'R'
      AND before_state IN ('S', 'D', 'I')
      AND coalesce(before_io_wait, 0) = 0
      AND waker_utid NOT IN (SELECT utid FROM thread WHERE is_idle)
    )
)
SELECT id, utid, ts, idle_ts, waker_utid, lead(idle_ts, 1, last_ts) OVER (PARTITION BY utid ORDER BY ts) AS ts_end
FROM beginning;

-- The span that a thread's progress depends on at each time of an interval: its own span, and while it sleeps the span of its
-- waker, or of the waker's waker.
CREATE PERFETTO FUNCTION _thread_executing_span_critical_path(root_utid JOINID(thread.id), ts TIMESTAMP, dur DURATION)
RETURNS TABLE(
  root_utid JOINID(thread.id), root_id LONG, id LONG, ts TIMESTAMP, dur DURATION, utid JOINID(thread.id)
) AS
WITH RECURSIVE region(root_id, utid, ts, ts_end, depth) AS (
  SELECT CAST(NULL AS INT), $root_utid, $ts, $ts + $dur, 0
  UNION ALL
  SELECT
    coalesce(region.root_id, span.id),
    span.waker_utid,
    max(region.ts, span.idle_ts),
    min(region.ts_end, span.ts),
    region.depth + 1
  FROM region
  JOIN _executing_span AS span ON span.utid = region.utid
  WHERE span.waker_utid IS NOT NULL AND span.idle_ts < region.ts_end AND span.ts > region.ts AND region.depth < 100
)
SELECT
  $root_utid AS root_utid,
  coalesce(region.root_id, span.id) AS root_id,
  span.id AS id,
  max(region.ts, span.ts) AS ts,
  min(region.ts_end, span.ts_end) - max(region.ts, span.ts) AS dur,
  span.utid AS utid
FROM region
JOIN _executing_span AS span ON span.utid = region.utid
WHERE span.ts < region.ts_end AND span.ts_end > region.ts
ORDER BY ts;

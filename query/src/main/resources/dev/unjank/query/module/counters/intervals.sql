-- Counter values as intervals: each lasts until the next different value of its track.

CREATE PERFETTO MACRO counter_leading_intervals(counter_table TableOrSubquery)
RETURNS TableOrSubquery AS (
  WITH compared AS (
    SELECT id, ts, track_id, value, lag(value) OVER (PARTITION BY track_id ORDER BY ts) AS before FROM $counter_table
  ),
  changes AS (
    SELECT id, ts, track_id, value, before FROM compared WHERE before IS NULL OR before != value
  )
  SELECT
    id,
    ts,
    lead(ts, 1, trace_end()) OVER w - ts AS dur,
    track_id,
    value,
    lead(value) OVER w AS next_value,
    lead(value) OVER w - value AS delta_value
  FROM changes
  WINDOW w AS (PARTITION BY track_id ORDER BY ts)
);

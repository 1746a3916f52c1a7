-- The time axis cut at the start and the end of every interval: for each piece, the intervals that contain it, and those that
-- end where it begins.
CREATE PERFETTO MACRO interval_self_intersect(intervals TableOrSubquery) RETURNS TableOrSubquery AS (
  WITH span AS (
    SELECT id, ts, ts + dur AS ts_end FROM $intervals
  ),
  cut AS (
    SELECT ts FROM span UNION SELECT ts_end FROM span
  ),
  piece AS (
    SELECT
      ts, lead(ts, 1, ts) OVER (ORDER BY ts) - ts AS dur, row_number() OVER (ORDER BY ts) AS group_id
    FROM cut
  )
  SELECT
    piece.ts, piece.dur, piece.group_id, span.id, CAST(span.ts_end = piece.ts AS INT) AS interval_ends_at_ts
  FROM piece JOIN span ON span.ts <= piece.ts AND span.ts_end >= piece.ts
);

-- Pieces with the intervals that contain them only.
CREATE PERFETTO MACRO _interval_self_intersect(intervals TableOrSubquery) RETURNS TableOrSubquery AS (
  SELECT ts, dur, group_id, id
  FROM interval_self_intersect!($intervals)
  WHERE NOT interval_ends_at_ts AND dur > 0
);

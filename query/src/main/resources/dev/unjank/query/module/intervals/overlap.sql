-- Number of intervals that overlap at each time.

CREATE PERFETTO MACRO intervals_overlap_count(segments TableOrSubquery, ts_column ColumnName, dur_column ColumnName)
RETURNS TableOrSubquery AS (
  WITH changes AS (
    SELECT $ts_column AS ts, 1 AS delta FROM $segments
    UNION ALL
    SELECT $ts_column + $dur_column, -1 FROM $segments WHERE $dur_column != -1
  ),
  moments AS (
    SELECT ts, sum(delta) AS delta FROM changes GROUP BY ts
  )
  SELECT ts, sum(delta) OVER (ORDER BY ts) AS value FROM moments
);

CREATE PERFETTO MACRO intervals_overlap_count_by_group(
  segments TableOrSubquery, ts_column ColumnName, dur_column ColumnName, group_column ColumnName
)
RETURNS TableOrSubquery AS (
  WITH changes AS (
    SELECT $ts_column AS ts, 1 AS delta, $group_column AS group_name FROM $segments
    UNION ALL
    SELECT $ts_column + $dur_column, -1, $group_column FROM $segments WHERE $dur_column != -1
  ),
  moments AS (
    SELECT group_name, ts, sum(delta) AS delta FROM changes GROUP BY group_name, ts
  )
  SELECT ts, sum(delta) OVER (PARTITION BY group_name ORDER BY ts) AS value, group_name FROM moments
);

-- Merges intervals that touch or overlap.
CREATE PERFETTO MACRO interval_merge_overlapping(segments TableOrSubquery, gap Expr)
RETURNS TableOrSubquery AS (
  WITH reached AS (
    SELECT
      ts, ts + dur AS ts_end,
      max(ts + dur) OVER (ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before_end
    FROM $segments
  ),
  numbered AS (
    SELECT ts, ts_end, sum(before_end IS NULL OR ts > before_end + $gap) OVER (ORDER BY ts, ts_end) AS run FROM reached
  )
  SELECT min(ts) AS ts, max(ts_end) - min(ts) AS dur FROM numbered GROUP BY run
);

CREATE PERFETTO MACRO interval_merge_overlapping_partitioned(segments TableOrSubquery, partition ColumnName)
RETURNS TableOrSubquery AS (
  WITH reached AS (
    SELECT
      ts, ts + dur AS ts_end, $partition AS part,
      max(ts + dur) OVER (PARTITION BY $partition ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
        AS before_end
    FROM $segments
  ),
  numbered AS (
    SELECT
      ts, ts_end, part,
      sum(before_end IS NULL OR ts > before_end) OVER (PARTITION BY part ORDER BY ts, ts_end) AS run
    FROM reached
  )
  SELECT min(ts) AS ts, max(ts_end) - min(ts) AS dur, part AS $partition FROM numbered GROUP BY part, run
);

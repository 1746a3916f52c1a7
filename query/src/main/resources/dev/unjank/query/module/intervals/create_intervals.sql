-- Intervals from each start to the next end after it. Starts without such an end are left out.
CREATE PERFETTO MACRO _interval_create(starts_table TableOrSubquery, ends_table TableOrSubquery)
RETURNS TableOrSubquery AS (
  WITH moment AS (
    SELECT ts, ts AS start_ts, NULL AS end_ts FROM $starts_table
    UNION ALL
    SELECT ts, NULL, ts FROM $ends_table
  ),
  paired AS (
    SELECT
      start_ts,
      min(end_ts) OVER (ORDER BY ts RANGE BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) AS next_end
    FROM moment
  )
  SELECT start_ts AS ts, next_end - start_ts AS dur
  FROM paired
  WHERE start_ts IS NOT NULL AND next_end IS NOT NULL
  ORDER BY start_ts
);

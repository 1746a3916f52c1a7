-- Adds an interval for each gap between the intervals of a group, and between them and the bounds of the trace; its data is
-- NULL. A group that has only rows without ts is one gap, and so is a table without rows.
CREATE PERFETTO MACRO _intervals_fill_gaps(
  group_columns ColumnNameList, data_columns ColumnNameList, intervals_table TableOrSubquery
)
RETURNS TableOrSubquery AS (
  WITH given AS (
    SELECT
      ts, dur, dense_rank() OVER (ORDER BY metasql_unparenthesize_exprlist!($group_columns)) AS group_number, *
    FROM $intervals_table
  ),
  valid AS (
    SELECT * FROM given WHERE ts IS NOT NULL
  ),
  -- one row per group, or one if there are none
  groups AS (
    SELECT DISTINCT group_number FROM given
    UNION
    SELECT NULL WHERE NOT EXISTS (SELECT 1 FROM given)
  ),
  edges AS (
    SELECT group_number, ts, ts + dur AS ts_end FROM valid
    UNION ALL
    SELECT group_number, trace_start(), trace_start() FROM groups
    UNION ALL
    SELECT group_number, trace_end(), trace_end() FROM groups
  ),
  reached AS (
    SELECT
      group_number, ts,
      max(ts_end) OVER (
        PARTITION BY group_number ORDER BY ts, ts_end ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ) AS before_end
    FROM edges
  ),
  gaps AS (
    SELECT group_number, before_end AS ts, ts - before_end AS dur FROM reached WHERE ts > before_end
  )
  SELECT ts, dur, metasql_unparenthesize_exprlist!($group_columns), metasql_unparenthesize_exprlist!($data_columns)
  FROM valid
  UNION ALL
  SELECT
    gaps.ts, gaps.dur
    __intrinsic_token_apply_prefix!(_fill_gaps_group, $group_columns)
    __intrinsic_token_apply_prefix!(_fill_gaps_data, $data_columns)
  FROM gaps LEFT JOIN (SELECT * FROM given GROUP BY group_number) AS named ON named.group_number = gaps.group_number
);

CREATE PERFETTO MACRO _fill_gaps_group(column ColumnName) RETURNS Expr AS $column;

CREATE PERFETTO MACRO _fill_gaps_data(column ColumnName) RETURNS Expr AS NULL;

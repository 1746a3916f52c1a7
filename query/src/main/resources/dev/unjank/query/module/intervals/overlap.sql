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

CREATE PERFETTO MACRO interval_merge_overlapping_partitioned(
  segments TableOrSubquery, partition_columns ColumnNameList
)
RETURNS TableOrSubquery AS (
  WITH reached AS (
    SELECT
      ts, ts + dur AS ts_end, metasql_unparenthesize_exprlist!($partition_columns),
      max(ts + dur) OVER (
        PARTITION BY metasql_unparenthesize_exprlist!($partition_columns)
        ORDER BY ts, ts + dur ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ) AS before_end
    FROM $segments
  ),
  numbered AS (
    SELECT
      *,
      sum(before_end IS NULL OR ts > before_end) OVER (
        PARTITION BY metasql_unparenthesize_exprlist!($partition_columns) ORDER BY ts, ts_end
      ) AS run
    FROM reached
  )
  SELECT
    min(ts) AS ts, max(ts_end) - min(ts) AS dur, metasql_unparenthesize_exprlist!($partition_columns)
  FROM numbered
  GROUP BY metasql_unparenthesize_exprlist!($partition_columns), run
);

-- Whether intervals of a table overlap: one row, 0 or 1.
CREATE PERFETTO MACRO _intervals_overlap_in_table(intervals TableOrSubquery) RETURNS TableOrSubquery AS (
  WITH reached AS (
    SELECT ts, max(ts + dur) OVER (ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before_end
    FROM $intervals
  )
  SELECT CAST(coalesce(max(ts < before_end), 0) AS INT) AS has_overlaps FROM reached
);

-- Roots and the descendants of each, as one table of trees.
CREATE PERFETTO MACRO _intervals_merge_root_and_children(roots TableOrSubquery, children TableOrSubquery)
RETURNS TableOrSubquery AS (
  SELECT id AS root_id, id, NULL AS parent_id, ts, dur FROM $roots
  UNION ALL
  SELECT root_id, id, parent_id, ts, dur FROM $children
);

-- The same for children that belong to a root by a key and by time; roots without children are left out.
CREATE PERFETTO MACRO _intervals_merge_root_and_children_by_intersection(
  roots TableOrSubquery, children TableOrSubquery, key ColumnName
)
RETURNS TableOrSubquery AS (
  WITH pair AS (
    SELECT
      root.id AS root_id, root.ts AS root_ts, root.dur AS root_dur, root.$key AS $key, child.id, child.parent_id,
      max(root.ts, child.ts) AS ts, min(root.ts + root.dur, child.ts + child.dur) AS ts_end
    FROM $roots AS root
    JOIN $children AS child
      ON child.$key = root.$key AND child.ts < root.ts + root.dur AND child.ts + child.dur > root.ts
  )
  SELECT DISTINCT root_id, root_id AS id, NULL AS parent_id, root_ts AS ts, root_dur AS dur, $key FROM pair
  UNION ALL
  SELECT root_id, id, coalesce(parent_id, root_id), ts, ts_end - ts, $key FROM pair
);

-- Trees of nested intervals as a sequence: at each time the innermost interval.
CREATE PERFETTO MACRO _intervals_flatten(trees TableOrSubquery) RETURNS TableOrSubquery AS (
  WITH node AS (
    SELECT root_id, id, parent_id, ts, ts + dur AS ts_end FROM $trees WHERE dur > 0
  ),
  -- where an interval is interrupted, and its end
  stop AS (
    SELECT root_id, parent_id AS id, ts, ts_end AS resumed FROM node WHERE parent_id IS NOT NULL
    UNION ALL
    SELECT root_id, id, ts_end, NULL FROM node
  ),
  piece AS (
    SELECT
      stop.root_id, stop.id,
      coalesce(
        lag(stop.resumed) OVER (PARTITION BY stop.root_id, stop.id ORDER BY stop.ts, stop.resumed IS NULL), node.ts
      ) AS ts,
      stop.ts AS ts_end
    FROM stop JOIN node ON node.root_id = stop.root_id AND node.id = stop.id
  )
  SELECT root_id, id, ts, ts_end - ts AS dur FROM piece WHERE ts_end > ts
);

-- The critical path of a task in a graph of tasks that wait for each other.
INCLUDE PERFETTO MODULE graphs.search;

-- For each root the nodes that delayed it, back until its capacity is used up.
CREATE PERFETTO MACRO _critical_path(graph_table TableOrSubquery, root_table TableOrSubquery)
RETURNS TableOrSubquery AS (
  SELECT root_node_id AS root_id, parent_node_id AS parent_id, node_id AS id
  FROM graph_reachable_weight_bounded_dfs!(
    $graph_table, (SELECT root_node_id, capacity AS root_target_weight FROM $root_table), 1
  )
);

-- The same as intervals: each node from its start to the start of the next, the root for its own duration.
CREATE PERFETTO MACRO _critical_path_intervals(
  graph_table TableOrSubquery, root_table TableOrSubquery, interval_table TableOrSubquery
)
RETURNS TableOrSubquery AS (
  WITH span AS (
    SELECT id, ts, dur, idle_dur FROM $interval_table
  ),
  path AS (
    SELECT
      path.root_id, path.id, max(node.ts, root.ts - root.idle_dur) AS ts, root.ts + root.dur AS path_end
    FROM _critical_path!($graph_table, $root_table) AS path
    JOIN span AS node ON node.id = path.id
    JOIN span AS root ON root.id = path.root_id
  )
  SELECT root_id, id, ts, lead(ts, 1, path_end) OVER (PARTITION BY root_id ORDER BY ts) - ts AS dur
  FROM path
  ORDER BY root_id, ts
);

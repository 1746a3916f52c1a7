-- Nodes that can be reached from start nodes, depth first: a node with the node from which it was reached.
CREATE PERFETTO MACRO graph_reachable_dfs(graph_table TableOrSubquery, start_nodes TableOrSubquery)
RETURNS TableOrSubquery AS (
  SELECT node_id, parent_node_id
  FROM __intrinsic_graph_dfs(
    (SELECT group_concat(source_node_id || ' ' || dest_node_id, ';') FROM $graph_table),
    (SELECT group_concat(node_id, ';') FROM $start_nodes)
  )
);

-- Breadth first.
CREATE PERFETTO MACRO graph_reachable_bfs(graph_table TableOrSubquery, start_nodes TableOrSubquery)
RETURNS TableOrSubquery AS (
  SELECT node_id, parent_node_id
  FROM __intrinsic_graph_bfs(
    (SELECT group_concat(source_node_id || ' ' || dest_node_id, ';') FROM $graph_table),
    (SELECT group_concat(node_id, ';') FROM $start_nodes)
  )
);

-- Depth first from each root, until the weights of the edges add up to the root's target: just beyond it if the target is a
-- floor, never beyond it otherwise.
CREATE PERFETTO MACRO graph_reachable_weight_bounded_dfs(
  graph_table TableOrSubquery, root_table TableOrSubquery, is_target_weight_floor Expr
)
RETURNS TableOrSubquery AS (
  WITH input AS (
    SELECT
      (
        SELECT group_concat(source_node_id || ' ' || dest_node_id || ' ' || edge_weight, ';') FROM $graph_table
      ) AS edges,
      (SELECT group_concat(root_node_id || ' ' || root_target_weight, ';') FROM $root_table) AS roots
  )
  SELECT root_node_id, node_id, parent_node_id
  FROM __intrinsic_graph_dfs_floor(
    (SELECT edges FROM input), (SELECT roots FROM input WHERE $is_target_weight_floor)
  )
  UNION ALL
  SELECT root_node_id, node_id, parent_node_id
  FROM __intrinsic_graph_dfs_ceiling(
    (SELECT edges FROM input), (SELECT roots FROM input WHERE NOT $is_target_weight_floor)
  )
);

-- The next sibling of each node: of those with the same parent, the next by the sort key.
CREATE PERFETTO MACRO graph_next_sibling(graph_table TableOrSubquery) RETURNS TableOrSubquery AS (
  SELECT
    node_id, lead(node_id) OVER (PARTITION BY node_parent_id ORDER BY sort_key) AS next_node_id
  FROM $graph_table
  ORDER BY node_parent_id, sort_key
);

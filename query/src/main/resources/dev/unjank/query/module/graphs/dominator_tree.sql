-- The immediate dominator of each node that can be reached from the root: the last node that all paths to it pass.
CREATE PERFETTO MACRO graph_dominator_tree(graph_table TableOrSubquery, root_node_id Expr) RETURNS TableOrSubquery AS (
  SELECT node_id, dominator_node_id
  FROM __intrinsic_dominator_tree(
    (SELECT group_concat(source_node_id || ' ' || dest_node_id, ';') FROM $graph_table),
    $root_node_id
  )
);

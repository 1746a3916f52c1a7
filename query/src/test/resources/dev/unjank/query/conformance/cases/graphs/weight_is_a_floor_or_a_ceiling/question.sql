INCLUDE PERFETTO MODULE graphs.search;
CREATE PERFETTO TABLE e AS WITH e(source_node_id, dest_node_id, edge_weight) AS (VALUES (1, 2, 2), (2, 3, 2), (3, 4, 2)) SELECT * FROM e;
CREATE PERFETTO TABLE r AS SELECT 1 AS root_node_id, 3 AS root_target_weight;
SELECT node_id FROM graph_reachable_weight_bounded_dfs!(e, r, 1);
SELECT node_id FROM graph_reachable_weight_bounded_dfs!(e, r, 0);

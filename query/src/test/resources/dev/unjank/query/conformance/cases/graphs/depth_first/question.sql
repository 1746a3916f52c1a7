INCLUDE PERFETTO MODULE graphs.search;
WITH e(source_node_id, dest_node_id) AS (VALUES (1, 2), (1, 3), (2, 4), (4, 3), (3, 1), (9, 1))
SELECT * FROM graph_reachable_dfs!(e, (SELECT 1 AS node_id UNION ALL SELECT 8));

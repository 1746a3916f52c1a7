INCLUDE PERFETTO MODULE graphs.dominator_tree;
WITH e(source_node_id, dest_node_id) AS (VALUES (1, 2), (1, 3), (2, 4), (3, 4), (4, 5), (5, 4), (7, 5))
SELECT * FROM graph_dominator_tree!(e, 1) ORDER BY node_id;

INCLUDE PERFETTO MODULE graphs.search;
WITH n(node_id, node_parent_id, sort_key) AS (VALUES (5, 1, 9), (6, 1, 3), (7, 2, 1))
SELECT * FROM graph_next_sibling!(n);

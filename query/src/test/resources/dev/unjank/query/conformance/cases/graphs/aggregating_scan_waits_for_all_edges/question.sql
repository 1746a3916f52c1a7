INCLUDE PERFETTO MODULE graphs.scan;
WITH e(source_node_id, dest_node_id) AS (VALUES (1, 2), (1, 3), (2, 3), (3, 4)), s(id, ways) AS (VALUES (1, 1))
SELECT * FROM _graph_aggregating_scan!(e, s, (ways), (SELECT id, sum(ways) AS ways FROM $table GROUP BY id)) ORDER BY id;

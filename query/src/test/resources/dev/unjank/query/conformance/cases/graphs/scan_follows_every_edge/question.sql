INCLUDE PERFETTO MODULE graphs.scan;
WITH e(source_node_id, dest_node_id) AS (VALUES (1, 2), (1, 3), (2, 3)), s(id, way) AS (VALUES (1, 'start'))
SELECT * FROM _graph_scan!(e, s, (way), (SELECT id, way || '>' || id AS way FROM $table)) ORDER BY id, way;

INCLUDE PERFETTO MODULE graphs.critical_path;
WITH e(source_node_id, dest_node_id, edge_weight) AS (VALUES (30, 20, 10), (20, 5, 15)), r(root_node_id, capacity) AS (VALUES (30, 12)),
i(id, ts, dur, idle_dur) AS (VALUES (30, 30, 4, 12), (20, 20, 3, 1), (5, 5, 1, 1))
SELECT * FROM _critical_path_intervals!(e, r, i);

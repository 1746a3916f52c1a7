INCLUDE PERFETTO MODULE intervals.overlap;
WITH r(id, ts, dur, utid) AS (VALUES (1, 10, 10, 7), (2, 10, 10, 8)), c(id, parent_id, ts, dur, utid) AS (VALUES (5, NULL, 5, 8, 7), (6, NULL, 30, 5, 7))
SELECT * FROM _intervals_merge_root_and_children_by_intersection!(r, c, utid) ORDER BY id;

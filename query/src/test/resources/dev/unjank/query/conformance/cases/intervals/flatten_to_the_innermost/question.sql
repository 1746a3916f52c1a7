INCLUDE PERFETTO MODULE intervals.overlap;
WITH r(id, ts, dur) AS (VALUES (1, 0, 10)), c(root_id, id, parent_id, ts, dur) AS (VALUES (1, 2, 1, 2, 5), (1, 3, 2, 3, 1))
SELECT ts, dur, id FROM _intervals_flatten!(_intervals_merge_root_and_children!(r, c)) ORDER BY ts;

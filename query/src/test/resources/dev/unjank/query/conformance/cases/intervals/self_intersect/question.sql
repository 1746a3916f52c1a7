INCLUDE PERFETTO MODULE intervals.intersect;
WITH s(ts, dur, id) AS (VALUES (1, 4, 0), (3, 4, 1))
SELECT * FROM interval_self_intersect!(s) ORDER BY ts, id;

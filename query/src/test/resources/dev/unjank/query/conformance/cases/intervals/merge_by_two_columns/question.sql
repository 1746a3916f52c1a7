INCLUDE PERFETTO MODULE intervals.overlap;
WITH s(ts, dur, a, b) AS (VALUES (0, 5, 1, 'x'), (5, 5, 1, 'x'), (11, 1, 1, 'x'), (2, 2, 1, 'y'), (0, 9, NULL, 'x'))
SELECT * FROM interval_merge_overlapping_partitioned!(s, (a, b)) ORDER BY a, b, ts;

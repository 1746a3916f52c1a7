INCLUDE PERFETTO MODULE intervals.fill_gaps;
WITH s(ts, dur, lane, v) AS (VALUES (1000003000, 2000, 'x', 1), (NULL, NULL, 'y', NULL))
SELECT * FROM _intervals_fill_gaps!((lane), (v), s) ORDER BY lane, ts;

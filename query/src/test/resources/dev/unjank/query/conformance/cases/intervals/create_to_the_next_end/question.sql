INCLUDE PERFETTO MODULE intervals.create_intervals;
WITH s(ts) AS (VALUES (30), (10), (40)), e(ts) AS (VALUES (10), (25), (35))
SELECT * FROM _interval_create!(s, e);

INCLUDE PERFETTO MODULE intervals.intersect;
WITH a(n, begin_ts, len, lane) AS (VALUES (1, 0, 5, 'x'), (2, 0, 5, 'y')), b(m, ts, dur, lane) AS (VALUES (9, 3, 5, 'x'))
SELECT ts, dur, id_0, id_1, lane FROM _interval_intersect_with_col_names!(a, n, begin_ts, len, b, m, ts, dur, (lane));

CREATE PERFETTO TABLE s AS WITH s(ts, dur, lane) AS (VALUES (0, 10, 'a'), (2, 3, 'a'), (5, 1, 'a'), (6, -1, 'a'), (9, 1, 'a'), (3, 3, 'b')) SELECT * FROM s;
SELECT lane, ts, internal_layout(ts, dur) OVER (PARTITION BY lane ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS depth FROM s ORDER BY lane, ts;

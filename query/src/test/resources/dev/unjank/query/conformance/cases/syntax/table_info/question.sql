CREATE PERFETTO TABLE t AS WITH t(a, b, c, d) AS (VALUES (1, 5, 'x', 0.5), (4, 5, NULL, 0.1)) SELECT * FROM t;
SELECT * FROM perfetto_table_info('t');

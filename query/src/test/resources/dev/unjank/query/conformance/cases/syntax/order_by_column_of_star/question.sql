WITH a(id, x) AS (VALUES (2, 10), (1, 20)), b(x, id) AS (VALUES (10, 7), (20, 8))
SELECT * FROM a JOIN b USING (x) ORDER BY id;

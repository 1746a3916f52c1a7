SELECT 1 AS a, NULL AS b, 0.5 AS c, 'x' AS d;

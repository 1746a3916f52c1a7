SELECT create_function('double_of(x INT)', 'INT', 'SELECT $x * 2');
SELECT CREATE_VIEW_FUNCTION('up_to(n INT)', 'v INT', 'SELECT 1 AS v UNION ALL SELECT $n');
SELECT EXPERIMENTAL_MEMOIZE('double_of');
SELECT IMPORT('time.conversion');
SELECT double_of(v) AS d, time_from_us(v) AS ns FROM up_to(3) ORDER BY d;

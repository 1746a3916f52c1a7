SELECT create_function('fib(n INT)', 'INT', 'SELECT IIF($n < 2, $n, fib($n - 1) + fib($n - 2))');
SELECT create_function('dots(n INT)', 'STRING', 'SELECT CASE WHEN $n = 0 THEN "" ELSE dots($n - 1) || "." END');
SELECT fib(80) AS a, dots(3) AS b;

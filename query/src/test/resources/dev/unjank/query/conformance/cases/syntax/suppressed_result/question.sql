SELECT 1 AS suppress_query_output;
SELECT 2 AS shown;

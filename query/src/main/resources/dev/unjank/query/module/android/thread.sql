-- Names of threads without what tells similar threads apart: numbers and addresses.

CREATE PERFETTO FUNCTION android_standardize_thread_name(thread_name STRING) RETURNS STRING AS
SELECT
  CASE
    WHEN $thread_name GLOB 'binder:*' THEN 'binder'
    WHEN $thread_name GLOB 'kworker/*' THEN 'kworker'
    ELSE regexp_replace_simple($thread_name, '[-_ :#]*[0-9].*$', '')
  END;

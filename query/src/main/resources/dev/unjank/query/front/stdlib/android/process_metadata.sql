-- Processes with what is known of their packages; the model has no list of packages, so that is nothing beyond the process.

CREATE PERFETTO TABLE android_process_metadata AS
SELECT
  upid,
  pid,
  name AS process_name,
  uid,
  0 AS shared_uid,
  android_user_id AS user_id,
  CAST(NULL AS TEXT) AS package_name,
  CAST(NULL AS INT) AS version_code,
  CAST(NULL AS INT) AS debuggable,
  0 AS is_kernel_task
FROM process;

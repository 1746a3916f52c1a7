-- Processes with their packages. Traces do not record the users of processes: a process belongs to the package of the same name,
-- optionally followed by a colon and a suffix.

CREATE PERFETTO TABLE android_process_metadata AS
SELECT
  process.upid,
  process.pid,
  process.name AS process_name,
  coalesce(process.uid, package.uid) AS uid,
  0 AS shared_uid,
  process.android_user_id AS user_id,
  package.package_name,
  package.version_code,
  package.debuggable,
  0 AS is_kernel_task
FROM process
LEFT JOIN (SELECT * FROM package_list GROUP BY package_name) AS package
  ON package.package_name = str_split(process.name, ':', 0);

-- Processes with what is known of their packages. The traces' processes do not say whose users they run as: a process is of the
-- package whose name it has, alone or with a colon and more behind it.

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

-- Processes with their packages: the only package of the process's user, or of several the one that the process is named after.

-- Whether a process belongs to the kernel: the idle process, its children, and those of kthreadd.
CREATE PERFETTO FUNCTION android_is_kernel_task(upid LONG) RETURNS BOOL AS
SELECT upid IN (SELECT upid FROM _kernel_tasks) FROM process WHERE upid = $upid;

CREATE PERFETTO TABLE _kernel_tasks AS
SELECT child.upid
FROM process AS child
LEFT JOIN process AS parent ON parent.upid = child.parent_upid
WHERE child.pid = 0 OR parent.pid = 0 OR parent.pid = 2;

CREATE PERFETTO TABLE _packages_of_uid AS
SELECT uid % 100000 AS app_id, count(DISTINCT package_name) AS packages
FROM package_list
GROUP BY uid % 100000;

CREATE PERFETTO TABLE _package_of_process AS
WITH candidate AS (
  SELECT
    process.upid, package.package_name, package.version_code, package.debuggable,
    row_number() OVER (
      PARTITION BY process.upid ORDER BY length(package.package_name) DESC, package.version_code DESC
    ) AS rank
  FROM process
  JOIN _packages_of_uid AS shared ON shared.app_id = process.uid % 100000
  JOIN package_list AS package ON package.uid % 100000 = shared.app_id
  WHERE shared.packages = 1 OR process.name GLOB package.package_name || '*'
)
SELECT upid, package_name, version_code, debuggable FROM candidate WHERE rank = 1;

CREATE PERFETTO TABLE android_process_metadata AS
SELECT
  process.upid,
  process.pid,
  process.name AS process_name,
  process.uid % 100000 AS uid,
  process.uid / 100000 AS user_id,
  CAST(NULL AS TEXT) AS user_type,
  iif(shared.packages > 1, 1, NULL) AS shared_uid,
  package.package_name,
  package.version_code,
  package.debuggable,
  CAST(process.upid IN (SELECT upid FROM _kernel_tasks) AS INT) AS is_kernel_task
FROM process
LEFT JOIN _packages_of_uid AS shared ON shared.app_id = process.uid % 100000
LEFT JOIN _package_of_process AS package ON package.upid = process.upid
ORDER BY process.upid;

-- Kernel threads.

CREATE PERFETTO TABLE linux_kernel_threads AS
SELECT thread.upid, thread.utid, process.pid, thread.tid, process.name AS process_name, thread.name AS thread_name,
  0 AS machine_id
FROM thread
JOIN process ON process.upid = thread.upid
WHERE process.pid = 2 OR process.parent_upid IN (SELECT upid FROM process WHERE pid = 2);

-- Slices with their threads and processes. thread_slice and process_slice are tables of the trace, not of this module.

CREATE PERFETTO VIEW thread_or_process_slice AS
SELECT
  id, ts, dur, category, name, track_id, track_name, thread_name, utid, tid, process_name, upid, pid, depth, parent_id,
  arg_set_id
FROM thread_slice
UNION ALL
SELECT
  id, ts, dur, category, name, track_id, track_name, NULL, NULL, NULL, process_name, upid, pid, depth, parent_id,
  arg_set_id
FROM process_slice;

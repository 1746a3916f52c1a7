-- Slices with their thread and process.

CREATE PERFETTO VIEW _slice_with_thread_and_process_info AS
SELECT
  slice.*,
  coalesce(thread_track.name, process_track.name) AS track_name,
  thread.name AS thread_name,
  thread.utid,
  thread.tid,
  coalesce(of_thread.name, of_process.name) AS process_name,
  coalesce(of_thread.upid, of_process.upid) AS upid,
  coalesce(of_thread.pid, of_process.pid) AS pid
FROM slice
LEFT JOIN thread_track ON thread_track.id = slice.track_id
LEFT JOIN thread ON thread.utid = thread_track.utid
LEFT JOIN process AS of_thread ON of_thread.upid = thread.upid
LEFT JOIN process_track ON process_track.id = slice.track_id
LEFT JOIN process AS of_process ON of_process.upid = process_track.upid;

-- Scheduling slices with their threads and processes.

CREATE PERFETTO VIEW sched_with_thread_process AS
SELECT
  sched.id, sched.ts, sched.dur, sched.cpu, sched.utid, thread.name AS thread_name, process.upid,
  process.name AS process_name, sched.end_state, sched.priority
FROM sched
JOIN thread ON thread.utid = sched.utid
LEFT JOIN process ON process.upid = thread.upid;

-- Scheduling slices with their threads and processes.

CREATE PERFETTO VIEW sched_with_thread_process AS
SELECT
  sched.id, sched.ts, sched.dur, sched.utid, process.upid, thread.name AS thread_name, process.name AS process_name,
  sched.cpu, sched.end_state, sched.priority
FROM sched
JOIN thread ON thread.utid = sched.utid
LEFT JOIN process ON process.upid = thread.upid;

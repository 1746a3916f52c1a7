-- Time that a thread was runnable before it ran.
INCLUDE PERFETTO MODULE sched.runnable;

CREATE PERFETTO TABLE sched_latency_for_running_interval AS
SELECT
  running.id AS thread_state_id, sched.id AS sched_id, running.utid, runnable.id AS runnable_latency_id,
  runnable.dur AS latency_dur
FROM sched_previous_runnable_on_thread AS previous
JOIN thread_state AS running ON running.id = previous.id
JOIN thread_state AS runnable ON runnable.id = previous.prev_runnable_id
JOIN sched ON sched.utid = running.utid AND sched.ts = running.ts
ORDER BY running.id;

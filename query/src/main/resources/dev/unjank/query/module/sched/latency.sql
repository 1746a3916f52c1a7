-- Time that a thread was runnable before it ran.

CREATE PERFETTO TABLE sched_latency_for_running_interval AS
WITH ordered AS (
  SELECT id, utid, state, lag(id) OVER w AS runnable_id, lag(state) OVER w AS before, lag(dur) OVER w AS latency_dur
  FROM thread_state
  WINDOW w AS (PARTITION BY utid ORDER BY ts)
)
SELECT id AS thread_state_id, id AS sched_id, utid, runnable_id AS runnable_latency_id, latency_dur
FROM ordered
WHERE state = 'Running' AND before IN ('R', 'R+');

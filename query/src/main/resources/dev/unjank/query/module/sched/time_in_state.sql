-- Time of threads in each state.

CREATE PERFETTO TABLE sched_time_in_state_for_thread AS
WITH total AS (
  SELECT utid, sum(dur) AS total_runtime FROM thread_state GROUP BY utid
)
SELECT utid, total_runtime, state, sum(dur) AS time_in_state
FROM thread_state
JOIN total USING (utid)
GROUP BY utid, state;

CREATE PERFETTO FUNCTION sched_time_in_state_for_thread_in_interval(ts TIMESTAMP, dur DURATION, utid LONG)
RETURNS TABLE(state STRING, io_wait BOOL, blocked_function STRING, dur DURATION) AS
SELECT
  state, io_wait, blocked_function, sum(min(state.ts + state.dur, $ts + $dur) - max(state.ts, $ts)) AS dur
FROM thread_state AS state
WHERE state.utid = $utid AND state.ts < $ts + $dur AND state.ts + state.dur > $ts
GROUP BY state.state, state.io_wait, state.blocked_function;

CREATE PERFETTO FUNCTION sched_time_in_state_and_cpu_for_thread_in_interval(ts TIMESTAMP, dur DURATION, utid LONG)
RETURNS TABLE(state STRING, io_wait BOOL, cpu LONG, blocked_function STRING, dur DURATION) AS
SELECT
  state, io_wait, cpu, blocked_function, sum(min(state.ts + state.dur, $ts + $dur) - max(state.ts, $ts)) AS dur
FROM thread_state AS state
WHERE state.utid = $utid AND state.ts < $ts + $dur AND state.ts + state.dur > $ts
GROUP BY state.state, state.io_wait, state.cpu, state.blocked_function;

-- Time of threads in each state.

CREATE PERFETTO TABLE sched_time_in_state_for_thread AS
WITH total AS (
  SELECT utid, sum(dur) AS total_runtime FROM thread_state GROUP BY utid
),
times AS (
  SELECT utid, state, sum(dur) AS time_in_state FROM thread_state GROUP BY utid, state
)
SELECT
  utid, total_runtime, state, time_in_state, time_in_state * 100 / nullif(total_runtime, 0) AS percentage_in_state
FROM times
JOIN total USING (utid)
ORDER BY utid, state;

-- The percentages of a thread side by side.
CREATE PERFETTO TABLE sched_percentage_of_time_in_state AS
SELECT
  utid,
  max(iif(state = 'Running', percentage_in_state, NULL)) AS running,
  max(iif(state = 'R', percentage_in_state, NULL)) AS runnable,
  max(iif(state = 'R+', percentage_in_state, NULL)) AS runnable_preempted,
  max(iif(state = 'S', percentage_in_state, NULL)) AS sleeping,
  max(iif(state = 'D', percentage_in_state, NULL)) AS uninterruptible_sleep,
  max(iif(state NOT IN ('Running', 'R', 'R+', 'S', 'D'), percentage_in_state, NULL)) AS other
FROM sched_time_in_state_for_thread
GROUP BY utid
ORDER BY utid;

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

-- Time of a CPU by the state in which its threads left it.
CREATE PERFETTO FUNCTION sched_time_in_state_for_cpu_in_interval(cpu LONG, ts TIMESTAMP, dur LONG)
RETURNS TABLE(end_state STRING, dur LONG) AS
SELECT end_state, sum(min(run.ts + run.dur, $ts + $dur) - max(run.ts, $ts)) AS dur
FROM sched AS run
WHERE run.cpu = $cpu AND run.ts < $ts + $dur AND run.ts + run.dur > $ts AND run.utid NOT IN (
  SELECT utid FROM thread WHERE is_idle
)
GROUP BY run.end_state;

-- For each thread state, the previous time when the thread became runnable, by a wakeup or at all.

CREATE PERFETTO TABLE sched_previous_runnable_on_thread AS
SELECT
  id,
  max(iif(state IN ('R', 'R+'), id, NULL)) OVER before AS prev_runnable_id,
  max(iif(waker_utid IS NOT NULL AND state IN ('R', 'R+'), id, NULL)) OVER before AS prev_wakeup_runnable_id
FROM thread_state
WINDOW before AS (PARTITION BY utid ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING);

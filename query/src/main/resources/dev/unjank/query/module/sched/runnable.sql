-- For each time that a thread ran, the previous time when it was runnable, and the previous one after another thread woke it.

CREATE PERFETTO TABLE sched_previous_runnable_on_thread AS
WITH ordered AS (
  SELECT
    id, dur, state,
    last_non_null(iif(state IN ('R', 'R+'), id, NULL)) OVER before AS prev_runnable_id,
    last_non_null(
      iif(state IN ('R', 'R+') AND waker_utid IS NOT NULL AND coalesce(irq_context, 0) = 0, id, NULL)
    ) OVER before AS prev_wakeup_runnable_id
  FROM thread_state
  WINDOW before AS (PARTITION BY utid ORDER BY ts, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
)
SELECT id, prev_runnable_id, prev_wakeup_runnable_id
FROM ordered
WHERE state = 'Running' AND dur != -1
ORDER BY id;

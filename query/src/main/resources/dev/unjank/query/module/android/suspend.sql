-- When the device was awake and when it was suspended.

CREATE PERFETTO TABLE _suspended AS
SELECT slice.ts, slice.dur
FROM slice
JOIN track ON track.id = slice.track_id
WHERE track.name = 'Suspend/Resume Minimal' AND slice.dur > 0;

CREATE PERFETTO TABLE android_suspend_state AS
WITH bound AS (
  SELECT ts AS ts_end, ts + dur AS next_ts FROM _suspended
  UNION ALL
  SELECT trace_end(), trace_end()
),
awake AS (
  SELECT lag(next_ts, 1, trace_start()) OVER (ORDER BY ts_end) AS ts, ts_end FROM bound
)
SELECT ts, ts_end - ts AS dur, 0 AS machine_id, 'awake' AS power_state FROM awake WHERE ts_end > ts
UNION ALL
SELECT ts, dur, 0, 'suspended' FROM _suspended
ORDER BY 1;

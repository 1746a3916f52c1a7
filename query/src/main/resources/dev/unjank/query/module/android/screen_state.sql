-- The state of the display over time; unknown until it is first recorded.

CREATE PERFETTO TABLE android_screen_state AS
WITH change AS (
  SELECT counter.ts, counter.value
  FROM counter
  JOIN counter_track AS track ON track.id = counter.track_id
  WHERE track.name = 'ScreenState'
  UNION ALL
  SELECT trace_start(), 0
),
kept AS (
  SELECT ts, value FROM (
    SELECT ts, value, lag(value) OVER (ORDER BY ts) AS before FROM change
  )
  WHERE before IS NULL OR before != value
),
span AS (
  SELECT ts, lead(ts, 1, trace_end()) OVER (ORDER BY ts) - ts AS dur, value FROM kept
)
SELECT
  row_number() OVER (ORDER BY ts) AS id,
  ts,
  dur,
  CASE value WHEN 1 THEN 'off' WHEN 2 THEN 'on' WHEN 3 THEN 'doze' WHEN 4 THEN 'doze' WHEN 5 THEN 'on' WHEN 6 THEN 'on'
    ELSE 'unknown' END AS simple_screen_state,
  CASE value WHEN 1 THEN 'off' WHEN 2 THEN 'on' WHEN 3 THEN 'doze' WHEN 4 THEN 'doze-suspend' WHEN 5 THEN 'on-vr'
    WHEN 6 THEN 'on-suspend' ELSE 'unknown' END AS short_screen_state,
  CASE value WHEN 1 THEN 'Screen off' WHEN 2 THEN 'Screen on' WHEN 3 THEN 'Always-on display (doze)'
    WHEN 4 THEN 'Always-on display (doze-suspend)' WHEN 5 THEN 'VR screen on' WHEN 6 THEN 'Screen on (suspended)'
    ELSE 'Unknown' END AS screen_state
FROM span
ORDER BY ts;

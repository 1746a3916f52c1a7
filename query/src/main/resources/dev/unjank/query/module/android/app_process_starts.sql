-- Starts of app processes: the system's request, the binding of the app, and the first component that it ran.

CREATE PERFETTO TABLE _process_bindings AS
SELECT
  id AS start_id, ts, dur, upid, pid, process_name, utid, track_id,
  lead(ts, 1, trace_end()) OVER (PARTITION BY upid ORDER BY ts) AS next_ts
FROM thread_slice
WHERE name = 'bindApplication' AND is_main_thread;

CREATE PERFETTO TABLE _process_requests AS
SELECT slice.ts, slice.dur, substr(slice.name, 13) AS process_name
FROM thread_slice AS slice
WHERE slice.name GLOB 'Start proc: *' AND slice.process_name = 'system_server';

-- What a slice of the main thread runs: an activity, a service, a broadcast or a provider.
CREATE PERFETTO FUNCTION _component_reason(name STRING) RETURNS STRING AS
SELECT
  CASE
    WHEN $name GLOB 'performCreate:*' THEN 'activity'
    WHEN $name GLOB 'serviceCreate: *' OR $name GLOB 'serviceBind: *' THEN 'service'
    WHEN $name GLOB 'broadcastReceiveReg: *' OR $name GLOB 'broadcastReceiveComp: *' THEN 'broadcast'
    WHEN $name GLOB 'installProvider: *' THEN 'provider'
  END;

CREATE PERFETTO FUNCTION _component_name(name STRING) RETURNS STRING AS
SELECT
  CASE
    WHEN $name GLOB 'performCreate:*' THEN substr($name, 15)
    WHEN $name GLOB 'service*' THEN coalesce(regexp_extract($name, 'className=([^ }]+)'), regexp_extract($name, 'act=([^ }]+)'))
    ELSE regexp_extract($name, '(?:act=|cmp=|: )([^ }]+)')
  END;

CREATE PERFETTO TABLE _process_components AS
SELECT bind.start_id, slice.id, min(slice.ts) AS ts, slice.dur, slice.name, slice.track_id
FROM _process_bindings AS bind
JOIN thread_slice AS slice
  ON slice.utid = bind.utid AND slice.ts >= bind.ts + bind.dur AND slice.ts < bind.next_ts
WHERE _component_reason(slice.name) IS NOT NULL
GROUP BY bind.start_id;

CREATE PERFETTO TABLE android_app_process_starts AS
WITH start AS (
  SELECT bind.start_id, max(request.ts) AS ts, request.dur
  FROM _process_bindings AS bind
  JOIN _process_requests AS request ON request.process_name = bind.process_name AND request.ts <= bind.ts
  GROUP BY bind.start_id
)
SELECT
  bind.start_id,
  first.id,
  first.track_id,
  bind.process_name,
  bind.pid,
  bind.upid,
  _component_name(first.name) AS intent,
  _component_reason(first.name) AS reason,
  start.ts AS proc_start_ts,
  start.dur AS proc_start_dur,
  bind.ts AS bind_app_ts,
  bind.dur AS bind_app_dur,
  first.ts AS intent_ts,
  first.dur AS intent_dur,
  first.ts + first.dur - start.ts AS total_dur
FROM _process_bindings AS bind
JOIN start ON start.start_id = bind.start_id
JOIN _process_components AS first ON first.start_id = bind.start_id
ORDER BY bind.start_id;

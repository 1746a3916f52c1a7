-- How important Android considers each process: its score for the killer of processes, and what last updated it.

CREATE PERFETTO FUNCTION android_oom_adj_score_to_bucket_name(oom_score LONG) RETURNS STRING AS
SELECT
  CASE
    WHEN $oom_score < 0 THEN 'system'
    WHEN $oom_score = 0 THEN 'foreground'
    WHEN $oom_score BETWEEN 1 AND 100 THEN 'bfgs'
    WHEN $oom_score BETWEEN 101 AND 200 THEN 'foreground_service'
    WHEN $oom_score BETWEEN 201 AND 899 THEN 'background'
    WHEN $oom_score >= 900 THEN 'cached'
  END;

CREATE PERFETTO FUNCTION android_oom_adj_score_to_detailed_bucket_name(value LONG, android_appid LONG)
RETURNS STRING AS
SELECT
  CASE
    WHEN $value = -1000 THEN 'native'
    WHEN $value = -900 THEN 'system'
    WHEN $value = -800 THEN 'persistent'
    WHEN $value = -700 THEN 'persistent_service'
    WHEN $value = 0 THEN 'foreground_app'
    WHEN $value BETWEEN 1 AND 99 THEN 'perceptible_foreground_app'
    WHEN $value = 100 THEN 'visible_app'
    WHEN $value BETWEEN 101 AND 199 THEN 'perceptible_foreground_app'
    WHEN $value = 200 THEN 'perceptible_app'
    WHEN $value = 225 THEN 'perceptible_medium_app'
    WHEN $value = 250 THEN 'perceptible_low_app'
    WHEN $value = 300 THEN 'backup'
    WHEN $value = 400 THEN 'heavy_weight_app'
    WHEN $value = 500 THEN 'service'
    WHEN $value = 600 THEN 'launcher_app'
    WHEN $value = 700 THEN 'prev_app'
    WHEN $value = 800 THEN 'service_b'
    WHEN $value BETWEEN 900 AND 949 THEN 'cached_app'
    WHEN $value >= 950 THEN 'cached_app_lmk_first'
    WHEN $value < 0 AND $android_appid >= 10000 THEN 'unknown_app'
    WHEN $value < 0 THEN 'unknown_native'
    ELSE 'unknown'
  END;

CREATE PERFETTO TABLE _oom_score AS
WITH scored AS (
  SELECT
    counter.ts, counter.value, track.upid, track.id AS track_id,
    lag(counter.value) OVER (PARTITION BY track.id ORDER BY counter.ts) AS before
  FROM counter
  JOIN process_counter_track AS track ON track.id = counter.track_id
  WHERE track.name = 'oom_score_adj'
)
SELECT
  ts, lead(ts, 1, trace_end()) OVER (PARTITION BY track_id ORDER BY ts) - ts AS dur, CAST(value AS INT) AS score, upid
FROM scored
WHERE before IS NULL OR before != value;

-- Updates by the system: updateOomAdj_REASON, and the call that caused it.
CREATE PERFETTO TABLE _oom_adj_update AS
SELECT
  update_slice.id, update_slice.ts, update_slice.dur, update_slice.track_id, update_slice.thread_name,
  substr(update_slice.name, 14) AS reason, cause.name AS trigger
FROM thread_slice AS update_slice
LEFT JOIN slice AS cause ON cause.id = update_slice.parent_id
WHERE update_slice.name GLOB 'updateOomAdj_*' AND update_slice.process_name = 'system_server';

CREATE PERFETTO VIEW android_oom_adj_intervals AS
WITH moment AS (
  SELECT ts, 0 AS is_score, id AS oom_adj_id, NULL AS dur, NULL AS score, NULL AS upid FROM _oom_adj_update
  UNION ALL
  SELECT ts, 1, NULL, dur, score, upid FROM _oom_score
),
latest AS (
  SELECT
    ts, dur, score, upid, is_score,
    last_non_null(oom_adj_id) OVER (
      ORDER BY ts, is_score ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS oom_adj_id
  FROM moment
)
SELECT
  latest.ts,
  latest.dur,
  latest.score,
  android_oom_adj_score_to_bucket_name(latest.score) AS bucket,
  latest.upid,
  process.name AS process_name,
  latest.oom_adj_id,
  oom_adj.ts AS oom_adj_ts,
  oom_adj.dur AS oom_adj_dur,
  oom_adj.track_id AS oom_adj_track_id,
  oom_adj.thread_name AS oom_adj_thread_name,
  oom_adj.reason AS oom_adj_reason,
  oom_adj.trigger AS oom_adj_trigger
FROM latest
LEFT JOIN process ON process.upid = latest.upid
LEFT JOIN _oom_adj_update AS oom_adj ON oom_adj.id = latest.oom_adj_id
WHERE latest.is_score
ORDER BY latest.ts, latest.upid;

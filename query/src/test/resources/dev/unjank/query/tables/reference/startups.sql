-- android_startups and android_startup_processes in SQL: what the tables that are made from the model must equal.
INCLUDE PERFETTO MODULE android.process_metadata;
INCLUDE PERFETTO MODULE android.frames.timeline;

CREATE PERFETTO TABLE reference_all_launching_activities AS
SELECT ts, dur, name, substr(name, 19) AS rest FROM slice WHERE name GLOB 'launchingActivity#*';

-- Since Android 13: an asynchronous slice from beginning to end, and a mark that says what was started and how.
CREATE PERFETTO TABLE reference_all_marked_startups AS
WITH completed AS (
  SELECT
    CAST(str_split(rest, ':', 0) AS INT) AS startup_id,
    str_split(rest, ':', 2) AS package,
    CASE str_split(rest, ':', 1)
      WHEN 'completed-cold' THEN 'cold'
      WHEN 'completed-warm' THEN 'warm'
      WHEN 'completed-hot' THEN 'hot'
    END AS startup_type
  FROM reference_all_launching_activities
  WHERE dur = 0 AND rest GLOB '*:completed*:*'
  GROUP BY 1, 2, 3
)
SELECT completed.startup_id, span.ts, span.ts + span.dur AS ts_end, span.dur, completed.package, completed.startup_type
FROM reference_all_launching_activities AS span
JOIN completed ON completed.startup_id = CAST(span.rest AS INT)
WHERE span.dur != 0 AND instr(span.rest, ':') = 0;

-- What the activity manager writes while an app is being launched.
CREATE PERFETTO TABLE reference_all_launching_slices AS
SELECT ts, dur, ts + dur AS ts_end, substr(name, 12) AS package
FROM process_slice
WHERE name GLOB 'launching: *' AND (process_name IS NULL OR process_name = 'system_server');

CREATE PERFETTO TABLE reference_all_metrics_marks AS
SELECT ts, name FROM slice WHERE name GLOB 'MetricsLogger:launchObserverNotify*';

-- Android 10 to 12: from the intent on, if exactly one launch follows before the next intent and it succeeded.
CREATE PERFETTO TABLE reference_all_observed_startups AS
WITH intent AS (
  SELECT ts, lead(ts, 1, trace_end()) OVER (ORDER BY ts) AS next_ts
  FROM reference_all_metrics_marks
  WHERE name = 'MetricsLogger:launchObserverNotifyIntentStarted'
)
SELECT intent.ts, launch.ts_end, launch.ts_end - intent.ts AS dur, launch.package, CAST(NULL AS TEXT) AS startup_type
FROM intent
JOIN reference_all_launching_slices AS launch ON launch.ts BETWEEN intent.ts AND intent.next_ts AND launch.ts_end <= intent.next_ts
WHERE
  (SELECT count(*) FROM reference_all_launching_slices AS other WHERE other.ts BETWEEN intent.ts AND intent.next_ts) = 1
  AND EXISTS (
    SELECT 1 FROM reference_all_metrics_marks AS done
    WHERE done.name = 'MetricsLogger:launchObserverNotifyActivityLaunchFinished'
      AND done.ts BETWEEN intent.ts AND intent.next_ts
  );

-- Up to Android 9: the launches, and activities that resume without one, until the next frame.
CREATE PERFETTO TABLE reference_all_early_startups AS
SELECT ts, ts_end, ts_end - ts AS dur, package, CAST(NULL AS TEXT) AS startup_type FROM reference_all_launching_slices
UNION ALL
SELECT resume.ts, frame.ts + frame.dur, frame.ts + frame.dur - resume.ts, resume.process_name, 'hot'
FROM thread_slice AS resume
JOIN android_first_frame_after(resume.ts) AS frame
WHERE resume.name = 'activityResume'
  AND NOT EXISTS (
    SELECT 1 FROM reference_all_launching_slices AS launch WHERE resume.ts BETWEEN launch.ts AND launch.ts_end
  );

CREATE PERFETTO TABLE reference_all_startup_source AS
SELECT
  CASE
    WHEN EXISTS (SELECT 1 FROM reference_all_launching_activities WHERE rest GLOB '*:*') THEN 'marked'
    WHEN EXISTS (SELECT 1 FROM reference_all_metrics_marks) THEN 'observed'
    ELSE 'early'
  END AS source;

CREATE PERFETTO TABLE reference_all_startups AS
SELECT startup_id, ts, ts_end, dur, package, startup_type, source
FROM reference_all_marked_startups, reference_all_startup_source
WHERE source = 'marked'
UNION ALL
SELECT row_number() OVER (ORDER BY ts) - 1, ts, ts_end, dur, package, startup_type, source
FROM reference_all_observed_startups, reference_all_startup_source
WHERE source = 'observed'
UNION ALL
SELECT row_number() OVER (ORDER BY ts) - 1, ts, ts_end, dur, package, startup_type, source
FROM reference_all_early_startups, reference_all_startup_source
WHERE source = 'early';

CREATE PERFETTO TABLE reference_all_startup_milestones AS
SELECT slice.ts, slice.name, thread.utid, thread.upid
FROM slice
JOIN thread_track ON thread_track.id = slice.track_id
JOIN thread ON thread.utid = thread_track.utid
WHERE slice.name IN ('bindApplication', 'activityStart', 'activityResume') AND thread.is_main_thread;

-- The processes in which a started activity came up: those of the package whose main thread resumed one meanwhile. A cold
-- start has bound the application and started the activity, a warm one has started it, a hot one has only resumed it.
CREATE PERFETTO TABLE reference_all_startup_processes AS
WITH counted AS (
  SELECT
    s.startup_id,
    s.startup_type,
    p.upid,
    sum(m.name = 'bindApplication') AS binds,
    sum(m.name = 'activityStart') AS starts,
    sum(m.name = 'activityResume') AS resumes
  FROM reference_all_startups AS s
  JOIN android_process_metadata AS p ON p.package_name = s.package OR p.process_name GLOB s.package || '*'
  JOIN reference_all_startup_milestones AS m ON m.upid = p.upid AND m.ts >= s.ts AND m.ts < s.ts_end
  GROUP BY s.startup_id, s.ts, p.upid
)
SELECT
  startup_id,
  upid,
  CASE
    WHEN startup_type IS NOT NULL THEN startup_type
    WHEN binds > 0 AND starts > 0 THEN 'cold'
    WHEN starts > 0 THEN 'warm'
    ELSE 'hot'
  END AS startup_type
FROM counted
WHERE resumes > 0;

CREATE PERFETTO TABLE reference_startups AS
SELECT
  startup_id, ts, ts_end, dur, package,
  coalesce(
    startup_type,
    CASE
      WHEN source = 'marked' THEN (
        SELECT min(p.startup_type) FROM reference_all_startup_processes AS p WHERE p.startup_id = reference_all_startups.startup_id
      )
    END
  ) AS startup_type
FROM reference_all_startups
ORDER BY ts;

CREATE PERFETTO TABLE reference_startup_processes AS
SELECT startup_id, upid, startup_type FROM reference_all_startup_processes;

-- Cold starts of an app from its binding to the first frame, and until it was reported as fully drawn.
INCLUDE PERFETTO MODULE android.startup.startups;
INCLUDE PERFETTO MODULE android.frames.timeline;

CREATE PERFETTO TABLE android_profiling_manager_cold_startup AS
WITH begun AS (
  SELECT startup.startup_id, slice.upid, min(slice.ts) AS ts
  FROM android_startups AS startup
  JOIN android_startup_processes AS process ON process.startup_id = startup.startup_id
  JOIN thread_slice AS slice ON slice.upid = process.upid AND slice.is_main_thread AND slice.name = 'bindApplication'
  WHERE startup.startup_type = 'cold'
  GROUP BY startup.startup_id
),
framed AS (
  SELECT begun.startup_id, begun.ts, min(slice.ts) AS frame_ts
  FROM begun
  JOIN thread_slice AS slice ON slice.upid = begun.upid AND slice.ts >= begun.ts
  WHERE slice.name GLOB 'Choreographer#doFrame*'
  GROUP BY begun.startup_id
),
drawn AS (
  SELECT begun.startup_id, begun.ts, min(slice.ts + slice.dur) AS drawn_ts
  FROM begun
  JOIN thread_slice AS slice ON slice.upid = begun.upid AND slice.ts >= begun.ts
  WHERE slice.name GLOB 'reportFullyDrawn*'
  GROUP BY begun.startup_id
)
SELECT ts, 'app_startup_ttff' AS name, frame_ts - ts AS dur, 'TTFF' AS startup_checkpoint FROM framed
UNION ALL
SELECT ts, 'app_startup_tti', drawn_ts - ts, 'TTI' FROM drawn;

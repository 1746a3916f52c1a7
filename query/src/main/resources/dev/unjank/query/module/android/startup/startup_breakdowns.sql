-- What the main thread of a starting app did at each time: a slice that is known to take long, or a state of the thread.
INCLUDE PERFETTO MODULE android.startup.startups;
INCLUDE PERFETTO MODULE intervals.overlap;

CREATE PERFETTO FUNCTION _startup_slice_reason(name STRING) RETURNS STRING AS
SELECT
  CASE
    WHEN $name = 'bindApplication' THEN 'bind_application'
    WHEN $name = 'activityStart' THEN 'activity_start'
    WHEN $name = 'activityRestart' THEN 'activity_restart'
    WHEN $name = 'activityResume' THEN 'activity_resume'
    WHEN $name = 'inflate' THEN 'inflate'
    WHEN $name = 'ResourcesManager#getResources' THEN 'resources_manager_get_resources'
    WHEN $name = 'clientTransactionExecuted' THEN 'client_transaction_executed'
    WHEN $name = 'binder transaction' THEN 'binder'
    WHEN $name GLOB 'Choreographer#doFrame*' THEN 'choreographer_do_frame'
    WHEN $name GLOB 'OpenDexFilesFromOat*' THEN 'open_dex_files_from_oat'
    WHEN $name GLOB 'VerifyClass*' THEN 'verify_class'
    WHEN $name GLOB 'monitor contention*' OR $name GLOB 'Lock contention on a monitor lock*' THEN 'monitor_contention'
    WHEN $name GLOB 'Lock contention*' THEN 'art_lock_contention'
  END;

CREATE PERFETTO TABLE _startup_main_threads AS
SELECT startup_id, ts, dur, ts + dur AS ts_end, utid FROM android_startup_threads WHERE is_main_thread;

CREATE PERFETTO TABLE _startup_named_slices AS
SELECT startup.startup_id, slice.id, slice.ts, slice.dur, slice.depth, _startup_slice_reason(slice.name) AS reason
FROM _startup_main_threads AS startup
JOIN thread_slice AS slice
  ON slice.utid = startup.utid AND slice.ts < startup.ts_end AND slice.ts + slice.dur > startup.ts
WHERE _startup_slice_reason(slice.name) IS NOT NULL;

-- The innermost of these slices at each time; -1 where there is none.
CREATE PERFETTO TABLE _startup_pieces AS
WITH parents AS (
  SELECT inner_slice.id, outer_slice.id AS parent_id, max(outer_slice.depth) AS depth
  FROM _startup_named_slices AS inner_slice
  JOIN _slice_ancestors AS pair ON pair.id = inner_slice.id
  JOIN _startup_named_slices AS outer_slice ON outer_slice.id = pair.ancestor_id
  GROUP BY inner_slice.id
)
SELECT root_id AS startup_id, id AS slice_id, ts, ts + dur AS ts_end
FROM _intervals_flatten!((
  SELECT startup_id AS root_id, -1 AS id, NULL AS parent_id, ts, dur FROM _startup_main_threads
  UNION ALL
  SELECT
    slice.startup_id, slice.id, coalesce(parents.parent_id, -1), max(slice.ts, startup.ts),
    min(slice.ts + slice.dur, startup.ts_end) - max(slice.ts, startup.ts)
  FROM _startup_named_slices AS slice
  JOIN _startup_main_threads AS startup ON startup.startup_id = slice.startup_id
  LEFT JOIN parents ON parents.id = slice.id
));

CREATE PERFETTO TABLE android_startup_opinionated_breakdown AS
WITH begun AS (
  SELECT startup.startup_id, startup.ts, min(state.ts) AS begun_ts
  FROM _startup_main_threads AS startup
  JOIN thread_state AS state ON state.utid = startup.utid AND state.ts + state.dur > startup.ts
  GROUP BY startup.startup_id
)
SELECT
  max(piece.ts, state.ts) AS ts,
  min(piece.ts_end, state.ts + state.dur) - max(piece.ts, state.ts) AS dur,
  startup.startup_id,
  slice.id AS slice_id,
  state.id AS thread_state_id,
  CASE
    WHEN state.state = 'D' AND state.io_wait = 1 THEN 'io'
    WHEN slice.reason IS NOT NULL THEN slice.reason
    WHEN state.state = 'R' AND state.irq_context = 1 THEN 'irq'
    ELSE state.state
  END AS reason
FROM _startup_main_threads AS startup
JOIN _startup_pieces AS piece ON piece.startup_id = startup.startup_id
JOIN thread_state AS state
  ON state.utid = startup.utid AND state.ts < piece.ts_end AND state.ts + state.dur > piece.ts
LEFT JOIN _startup_named_slices AS slice ON slice.startup_id = startup.startup_id AND slice.id = piece.slice_id
UNION ALL
SELECT ts, begun_ts - ts, startup_id, NULL, NULL, 'launch_delay' FROM begun WHERE begun_ts > ts
ORDER BY 3, 1;

-- App startups. Since Android 13 the system logs them; before, they are derived from its slices.
-- Both tables are made in Java (StartupTables).
CREATE PERFETTO VIEW android_startups AS
SELECT startup_id, ts, ts_end, dur, dur AS dur_without_trampoline, package, startup_type FROM _android_startups;

CREATE PERFETTO VIEW android_startup_processes AS
SELECT startup.startup_id, startup.upid, process.pid, startup.startup_type
FROM _android_startup_processes AS startup
JOIN process ON process.upid = startup.upid;

CREATE PERFETTO VIEW android_startup_threads AS
SELECT
  s.startup_id, s.ts, s.dur, p.upid, p.pid, thread.utid, thread.tid, thread.name AS thread_name, thread.is_main_thread
FROM android_startups AS s
JOIN android_startup_processes AS p ON p.startup_id = s.startup_id
JOIN thread ON thread.upid = p.upid;

CREATE PERFETTO VIEW android_thread_slices_for_all_startups AS
SELECT
  t.ts AS startup_ts,
  t.ts + t.dur AS startup_ts_end,
  t.startup_id,
  t.utid,
  t.tid,
  t.thread_name,
  t.is_main_thread,
  slice.arg_set_id,
  slice.id AS slice_id,
  slice.name AS slice_name,
  slice.ts AS slice_ts,
  slice.dur AS slice_dur
FROM android_startup_threads AS t
JOIN thread_track ON thread_track.utid = t.utid
JOIN slice ON slice.track_id = thread_track.id
WHERE slice.ts BETWEEN t.ts AND t.ts + t.dur;

CREATE PERFETTO FUNCTION android_slices_for_startup_and_slice_name(startup_id LONG, slice_name STRING)
RETURNS TABLE(
  slice_id LONG, slice_name STRING, slice_ts TIMESTAMP, slice_dur LONG, thread_name STRING, tid LONG, arg_set_id LONG
) AS
SELECT slice_id, slice_name, slice_ts, slice_dur, thread_name, tid, arg_set_id
FROM android_thread_slices_for_all_startups
WHERE startup_id = $startup_id AND slice_name GLOB $slice_name;

CREATE PERFETTO FUNCTION android_sum_dur_for_startup_and_slice(startup_id LONG, slice_name STRING) RETURNS LONG AS
SELECT sum(slice_dur)
FROM android_thread_slices_for_all_startups
WHERE startup_id = $startup_id AND slice_name GLOB $slice_name;

CREATE PERFETTO FUNCTION android_sum_dur_on_main_thread_for_startup_and_slice(startup_id LONG, slice_name STRING)
RETURNS LONG AS
SELECT sum(slice_dur)
FROM android_thread_slices_for_all_startups
WHERE startup_id = $startup_id AND slice_name GLOB $slice_name AND is_main_thread;

-- Classes that a starting app loaded: slices named after the class, in the form of the class file.
CREATE PERFETTO VIEW android_class_loading_for_startup AS
SELECT slice_id, startup_id, slice_name, slice_ts, slice_dur, thread_name, tid, arg_set_id
FROM android_thread_slices_for_all_startups
WHERE slice_name GLOB 'L*;';

-- Binder transactions of a starting app that took longer than the threshold.
CREATE PERFETTO FUNCTION android_binder_transaction_slices_for_startup(startup_id LONG, threshold DOUBLE)
RETURNS TABLE(id LONG, slice_dur DURATION, thread_name STRING, process STRING, arg_set_id LONG, is_main_thread BOOL) AS
SELECT
  slice.slice_id AS id, slice.slice_dur, slice.thread_name, process.name AS process, slice.arg_set_id, slice.is_main_thread
FROM android_thread_slices_for_all_startups AS slice
JOIN thread ON thread.utid = slice.utid
LEFT JOIN process ON process.upid = thread.upid
WHERE slice.startup_id = $startup_id AND slice.slice_name = 'binder transaction' AND slice.slice_dur > $threshold;

-- android_monitor_contention in SQL: what the table that is made from the model must equal.
INCLUDE PERFETTO MODULE android.monitor_contention;

-- The contentions whose slices hold nothing but what belongs to them.
CREATE PERFETTO TABLE reference_slices AS
WITH contention AS MATERIALIZED (
  SELECT id, ts, dur, track_id, name, depth FROM slice WHERE name GLOB 'monitor contention*' AND dur != -1
),
inner_slice AS MATERIALIZED (
  SELECT slice.id, slice.parent_id, slice.name FROM slice JOIN contention ON contention.id = slice.parent_id
),
disturbed AS (
  SELECT DISTINCT slice.parent_id AS id FROM slice JOIN inner_slice ON inner_slice.id = slice.parent_id
  WHERE slice.name IS NOT NULL
)
SELECT * FROM contention
WHERE id NOT IN (SELECT parent_id FROM inner_slice)
  OR id IN (
    SELECT parent_id FROM inner_slice
    WHERE (name GLOB 'Lock contention*' OR name IS NULL) AND inner_slice.id NOT IN (SELECT id FROM disturbed)
  );

-- The binder reply that a contention is part of.
CREATE PERFETTO TABLE reference_replies AS
SELECT contention.id, min(reply.depth) AS depth, reply.id AS reply_id, reply.ts AS reply_ts, reply.track_id
FROM reference_slices AS contention
JOIN slice AS reply
  ON reply.track_id = contention.track_id
  AND reply.name = 'binder reply'
  AND reply.depth < contention.depth
  AND contention.ts >= reply.ts
  AND (contention.ts < reply.ts + reply.dur OR reply.dur = -1)
GROUP BY contention.id;

CREATE PERFETTO TABLE reference_parsed AS
SELECT
  *,
  android_extract_android_monitor_contention_blocking_method(name) AS blocking_method,
  android_extract_android_monitor_contention_blocked_method(name) AS blocked_method,
  android_extract_android_monitor_contention_short_blocking_method(name) AS short_blocking_method,
  android_extract_android_monitor_contention_short_blocked_method(name) AS short_blocked_method,
  android_extract_android_monitor_contention_blocking_src(name) AS blocking_src,
  android_extract_android_monitor_contention_blocked_src(name) AS blocked_src,
  android_extract_android_monitor_contention_waiter_count(name) AS waiter_count,
  android_extract_android_monitor_contention_blocking_thread(name) AS blocking_thread_name,
  android_extract_android_monitor_contention_blocking_tid(name) AS blocking_tid
FROM reference_slices;

CREATE PERFETTO TABLE reference_contention AS
SELECT
  c.blocking_method,
  c.blocked_method,
  c.short_blocking_method,
  c.short_blocked_method,
  c.blocking_src,
  c.blocked_src,
  c.waiter_count,
  blocked.utid AS blocked_utid,
  blocked.name AS blocked_thread_name,
  min(blocking.utid) AS blocking_utid,
  c.blocking_thread_name,
  c.blocking_tid,
  blocked.upid AS upid,
  process.name AS process_name,
  c.id,
  c.ts,
  c.dur,
  c.dur AS monotonic_dur,
  c.track_id,
  blocked.is_main_thread AS is_blocked_thread_main,
  blocked.tid AS blocked_thread_tid,
  blocking.is_main_thread AS is_blocking_thread_main,
  blocking.tid AS blocking_thread_tid,
  reply.reply_id AS binder_reply_id,
  reply.reply_ts AS binder_reply_ts,
  CASE WHEN reply.reply_id IS NOT NULL THEN blocked.tid END AS binder_reply_tid,
  process.pid
FROM reference_parsed AS c
JOIN thread_track ON thread_track.id = c.track_id
LEFT JOIN thread AS blocked ON blocked.utid = thread_track.utid
LEFT JOIN process ON process.upid = blocked.upid
LEFT JOIN thread AS blocking ON blocking.tid = c.blocking_tid AND blocking.upid = blocked.upid
LEFT JOIN reference_replies AS reply ON reply.id = c.id
WHERE c.short_blocking_method IS NOT NULL AND c.short_blocked_method IS NOT NULL
GROUP BY c.id
ORDER BY c.ts;

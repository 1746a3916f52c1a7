-- Binder transactions: slices of client and server, and the states of both threads during them.
INCLUDE PERFETTO MODULE android.oom_adjuster;
INCLUDE PERFETTO MODULE android.process_metadata;

CREATE PERFETTO VIEW android_binder_metrics_by_process AS
SELECT process_name, pid, name AS slice_name, count(*) AS event_count
FROM thread_slice
WHERE name GLOB 'binder*' AND upid IS NOT NULL
GROUP BY process_name, name;

CREATE PERFETTO TABLE _binder_calls AS
SELECT id, name = 'binder transaction' AS is_sync, ts, dur, utid, tid, upid, pid, thread_name, process_name, is_main_thread
FROM thread_slice
WHERE name IN ('binder transaction', 'binder transaction async') AND upid IS NOT NULL;

CREATE PERFETTO TABLE _binder_interfaces AS
SELECT id, ts, dur, name, parent_id, track_id
FROM slice
WHERE name GLOB 'AIDL::*Server' OR name GLOB 'AIDL::*server' OR name GLOB 'HIDL::*server';

-- The next slice of a server after it received a oneway transaction.
CREATE PERFETTO TABLE _binder_async_interfaces AS
SELECT id, lead(name) OVER w AS name, lead(ts) OVER w AS ts, lead(dur) OVER w AS dur
FROM (
  SELECT id, ts, dur, name, track_id FROM _binder_interfaces
  UNION ALL
  SELECT id, ts, dur, NULL, track_id FROM slice WHERE name = 'binder async rcv'
)
WINDOW w AS (PARTITION BY track_id ORDER BY ts, id);

CREATE PERFETTO TABLE android_binder_txns AS
WITH matched AS (
  SELECT call.id AS call_id, call.is_sync, flow.slice_in AS reply_id
  FROM _binder_calls AS call
  JOIN flow ON flow.slice_out = call.id
),
interfaces AS (
  SELECT m.call_id, m.reply_id, min(i.name) AS aidl_name, i.ts AS aidl_ts, i.dur AS aidl_dur
  FROM matched AS m
  JOIN _binder_interfaces AS i ON i.parent_id = m.reply_id
  WHERE m.is_sync
  GROUP BY m.call_id, m.reply_id
  UNION ALL
  SELECT m.call_id, m.reply_id, i.name, i.ts, i.dur
  FROM matched AS m
  JOIN _binder_async_interfaces AS i ON i.id = m.reply_id
  WHERE NOT m.is_sync AND i.name IS NOT NULL
)
SELECT
  str_split(i.aidl_name, '::', 2) AS interface,
  str_split(i.aidl_name, '::', 3) AS method_name,
  i.aidl_name,
  i.aidl_ts,
  i.aidl_dur,
  call.id AS binder_txn_id,
  call.process_name AS client_process,
  call.thread_name AS client_thread,
  call.upid AS client_upid,
  call.utid AS client_utid,
  call.tid AS client_tid,
  call.pid AS client_pid,
  call.is_main_thread,
  call.ts AS client_ts,
  call.dur AS client_dur,
  reply.id AS binder_reply_id,
  reply.process_name AS server_process,
  reply.thread_name AS server_thread,
  reply.upid AS server_upid,
  reply.utid AS server_utid,
  reply.tid AS server_tid,
  reply.pid AS server_pid,
  reply.ts AS server_ts,
  reply.dur AS server_dur,
  client_score.score AS client_oom_score,
  server_score.score AS server_oom_score,
  call.is_sync,
  call.dur AS client_monotonic_dur,
  reply.dur AS server_monotonic_dur,
  client_package.version_code AS client_package_version_code,
  server_package.version_code AS server_package_version_code,
  client_package.debuggable AS is_client_package_debuggable,
  server_package.debuggable AS is_server_package_debuggable
FROM matched AS m
JOIN _binder_calls AS call ON call.id = m.call_id
JOIN thread_slice AS reply ON reply.id = m.reply_id AND reply.upid IS NOT NULL
LEFT JOIN _oom_score AS client_score
  ON client_score.upid = call.upid
  AND call.ts >= client_score.ts AND call.ts < client_score.ts + client_score.dur
LEFT JOIN _oom_score AS server_score
  ON server_score.upid = reply.upid
  AND reply.ts >= server_score.ts AND reply.ts < server_score.ts + server_score.dur
LEFT JOIN interfaces AS i ON i.call_id = m.call_id AND i.reply_id = m.reply_id
LEFT JOIN android_process_metadata AS client_package ON client_package.upid = call.upid
LEFT JOIN android_process_metadata AS server_package ON server_package.upid = reply.upid
WHERE iif(
  call.is_sync,
  call.dur != -1 AND reply.dur != -1 AND call.dur >= reply.dur,
  reply.name = 'binder async rcv'
)
ORDER BY call.id;

CREATE PERFETTO VIEW _binder_client_spans AS
SELECT binder_txn_id, binder_reply_id, client_ts AS ts, client_dur AS dur, client_utid AS utid, client_ts, client_tid,
  server_ts, server_tid
FROM android_binder_txns
WHERE is_sync;

CREATE PERFETTO VIEW _binder_server_spans AS
SELECT binder_txn_id, binder_reply_id, server_ts AS ts, server_dur AS dur, server_utid AS utid, client_ts, client_tid,
  server_ts, server_tid
FROM android_binder_txns
WHERE is_sync;

CREATE PERFETTO VIEW _binder_thread_state AS
SELECT ts, dur, utid, state, blocked_function FROM thread_state;

CREATE VIRTUAL TABLE _binder_client_states
USING SPAN_JOIN(_binder_client_spans PARTITIONED utid, _binder_thread_state PARTITIONED utid);

CREATE VIRTUAL TABLE _binder_server_states
USING SPAN_JOIN(_binder_server_spans PARTITIONED utid, _binder_thread_state PARTITIONED utid);

CREATE PERFETTO VIEW _binder_states AS
SELECT *, 'binder_txn' AS side FROM _binder_client_states
UNION ALL
SELECT *, 'binder_reply' AS side FROM _binder_server_states;

CREATE PERFETTO VIEW android_sync_binder_thread_state_by_txn AS
SELECT
  binder_txn_id, client_ts, client_tid, binder_reply_id, server_ts, server_tid, side AS thread_state_type,
  state AS thread_state, sum(dur) AS thread_state_dur, count(dur) AS thread_state_count
FROM _binder_states
GROUP BY binder_txn_id, binder_reply_id, side, state;

CREATE PERFETTO VIEW android_sync_binder_blocked_functions_by_txn AS
SELECT
  binder_txn_id, client_ts, client_tid, binder_reply_id, server_ts, server_tid, side AS thread_state_type,
  blocked_function, sum(dur) AS blocked_function_dur, count(dur) AS blocked_function_count
FROM _binder_states
WHERE blocked_function IS NOT NULL
GROUP BY binder_txn_id, binder_reply_id, side, blocked_function;

-- Why synchronous binder transactions took their time, on the server's and on the client's thread.
INCLUDE PERFETTO MODULE android.binder;
INCLUDE PERFETTO MODULE intervals.overlap;

-- What a slice waits for; NULL for other slices.
CREATE PERFETTO FUNCTION _binder_slice_reason(name STRING) RETURNS STRING AS
SELECT
  CASE
    WHEN $name = 'mm_vmscan_direct_reclaim' THEN 'kernel_memory_reclaim'
    WHEN $name GLOB 'GC: Wait For*' THEN 'userspace_memory_reclaim'
    WHEN $name GLOB 'monitor contention*' OR $name GLOB 'Lock contention on a monitor lock*' THEN 'monitor_contention'
    WHEN $name GLOB 'Lock contention*' THEN 'art_lock_contention'
    WHEN $name = 'binder transaction' OR $name = 'binder reply' THEN 'binder'
    WHEN $name = 'Contending for pthread mutex' THEN 'mutex_contention'
  END;

CREATE PERFETTO FUNCTION _binder_state_reason(state STRING, io_wait LONG) RETURNS STRING AS
SELECT iif($state = 'D' AND $io_wait = 1, 'io', $state);

CREATE PERFETTO TABLE _binder_sync AS
SELECT DISTINCT binder_txn_id, binder_reply_id, client_ts, client_dur, client_utid, server_ts, server_dur, server_utid
FROM android_binder_txns
WHERE is_sync;

-- The innermost slice of the server's thread at each time of a reply.
CREATE PERFETTO TABLE _binder_reply_pieces AS
SELECT root_id AS binder_reply_id, id AS slice_id, ts, ts + dur AS ts_end
FROM _intervals_flatten!(_intervals_merge_root_and_children!(
  (SELECT binder_reply_id AS id, server_ts AS ts, server_dur AS dur FROM _binder_sync),
  (
    SELECT pair.ancestor_id AS root_id, slice.id, slice.parent_id, slice.ts, slice.dur
    FROM _slice_ancestors AS pair
    JOIN slice ON slice.id = pair.id
    WHERE pair.ancestor_id IN (SELECT binder_reply_id FROM _binder_sync)
  )
));

CREATE PERFETTO TABLE android_binder_server_breakdown AS
SELECT
  call.binder_txn_id,
  call.binder_reply_id,
  max(piece.ts, state.ts) AS ts,
  min(piece.ts_end, state.ts + state.dur) - max(piece.ts, state.ts) AS dur,
  coalesce(
    iif(piece.slice_id = call.binder_reply_id, NULL, _binder_slice_reason(slice.name)),
    _binder_state_reason(state.state, state.io_wait)
  ) AS reason
FROM _binder_sync AS call
JOIN _binder_reply_pieces AS piece ON piece.binder_reply_id = call.binder_reply_id
JOIN slice ON slice.id = piece.slice_id
JOIN thread_state AS state
  ON state.utid = call.server_utid AND state.ts < piece.ts_end AND state.ts + state.dur > piece.ts;

CREATE PERFETTO TABLE android_binder_client_breakdown AS
SELECT
  call.binder_txn_id,
  call.binder_reply_id,
  max(call.client_ts, state.ts) AS ts,
  min(call.client_ts + call.client_dur, state.ts + state.dur) - max(call.client_ts, state.ts) AS dur,
  _binder_state_reason(state.state, state.io_wait) AS reason
FROM _binder_sync AS call
JOIN thread_state AS state
  ON state.utid = call.client_utid
  AND state.ts < call.client_ts + call.client_dur
  AND state.ts + state.dur > call.client_ts;

CREATE PERFETTO VIEW _binder_client_reasons AS
SELECT binder_txn_id, binder_reply_id, ts, dur, reason AS client_reason FROM android_binder_client_breakdown;

CREATE PERFETTO VIEW _binder_server_reasons AS
SELECT binder_txn_id, ts, dur, reason AS server_reason FROM android_binder_server_breakdown;

CREATE VIRTUAL TABLE _binder_reasons
USING SPAN_LEFT_JOIN(_binder_client_reasons PARTITIONED binder_txn_id, _binder_server_reasons PARTITIONED binder_txn_id);

-- Both sides at each time; the server's reason counts where there is one.
CREATE PERFETTO TABLE android_binder_client_server_breakdown AS
SELECT
  ts, dur, binder_txn_id, binder_reply_id, client_reason, server_reason,
  coalesce(server_reason, client_reason) AS reason,
  iif(server_reason IS NULL, 'client', 'server') AS reason_type
FROM _binder_reasons;

-- Input events of windows: when the system sent each, when the app received it, and when it was finished.

CREATE PERFETTO TABLE _input_messages AS
SELECT
  id, ts, dur, track_id, utid, tid, thread_name, upid, pid, process_name,
  name GLOB 'sendMessage*' AS is_sent,
  regexp_extract(name, 'inputChannel=(.+), seq=') AS channel,
  regexp_extract(name, 'seq=(0x[0-9a-f]+)') AS seq,
  regexp_extract(name, 'type=([A-Z_]+)') AS event_type
FROM thread_slice
WHERE name GLOB 'sendMessage(*' OR name GLOB 'receiveMessage(*';

CREATE PERFETTO TABLE _input_channels AS
SELECT *, replace(replace(channel, ' (client)', ''), ' (server)', '') AS pair FROM _input_messages;

CREATE PERFETTO TABLE android_input_events AS
WITH finished AS (
  SELECT pair, seq, min(iif(is_sent, ts, NULL)) AS sent_ts, min(iif(is_sent, NULL, ts)) AS received_ts
  FROM _input_channels
  WHERE event_type = 'FINISHED'
  GROUP BY pair, seq
)
SELECT
  receive.ts - dispatch.ts AS dispatch_latency_dur,
  finished.sent_ts - receive.ts AS handling_latency_dur,
  finished.received_ts - finished.sent_ts AS ack_latency_dur,
  finished.received_ts - dispatch.ts AS total_latency_dur,
  CAST(NULL AS INT) AS end_to_end_latency_dur,
  receive.tid,
  receive.thread_name,
  receive.upid,
  receive.pid,
  receive.process_name,
  dispatch.event_type,
  CAST(NULL AS TEXT) AS event_action,
  dispatch.seq AS event_seq,
  dispatch.channel AS event_channel,
  regexp_extract(dispatch.channel, '^[0-9a-f]+ (.*)$') AS normalized_event_channel,
  CAST(NULL AS TEXT) AS input_event_id,
  CAST(NULL AS INT) AS read_time,
  dispatch.track_id AS dispatch_track_id,
  dispatch.ts AS dispatch_ts,
  dispatch.dur AS dispatch_dur,
  receive.ts AS receive_ts,
  receive.dur AS receive_dur,
  receive.track_id AS receive_track_id,
  CAST(NULL AS INT) AS frame_id,
  CAST(NULL AS INT) AS is_speculative_frame,
  CAST(NULL AS INT) AS event_time
FROM _input_channels AS dispatch
JOIN _input_channels AS receive
  ON receive.pair = dispatch.pair AND receive.seq = dispatch.seq AND receive.event_type = dispatch.event_type
JOIN finished ON finished.pair = dispatch.pair AND finished.seq = dispatch.seq
WHERE dispatch.is_sent AND NOT receive.is_sent AND dispatch.event_type != 'FINISHED'
ORDER BY dispatch.ts;

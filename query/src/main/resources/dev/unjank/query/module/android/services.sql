-- Bindings of services: the client's call and the service's answer to it.
INCLUDE PERFETTO MODULE android.binder;
INCLUDE PERFETTO MODULE android.oom_adjuster;

CREATE PERFETTO TABLE _service_requests AS
SELECT
  call.id, call.ts, call.dur, call.utid, call.tid, call.upid, call.pid, call.thread_name, call.process_name,
  CAST(regexp_extract(bind.name, 'bindSeq=([0-9]+)') AS INT) AS bind_seq
FROM thread_slice AS bind
JOIN _slice_ancestors AS pair ON pair.id = bind.id
JOIN flow ON flow.slice_in = pair.ancestor_id
JOIN thread_slice AS call ON call.id = flow.slice_out
WHERE bind.name GLOB 'requestServiceBinding*';

CREATE PERFETTO TABLE _service_answers AS
SELECT
  id, ts, dur, utid, tid, upid, pid, thread_name, process_name, name,
  CAST(regexp_extract(name, 'bindSeq=([0-9]+)') AS INT) AS bind_seq
FROM thread_slice
WHERE name GLOB 'serviceBind: BindServiceData*';

CREATE PERFETTO TABLE android_service_bindings AS
SELECT
  client_score.score AS client_oom_score,
  client.process_name AS client_process,
  client.thread_name AS client_thread,
  client.pid AS client_pid,
  client.tid AS client_tid,
  client.upid AS client_upid,
  client.utid AS client_utid,
  client.ts AS client_ts,
  client.dur AS client_dur,
  server_score.score AS server_oom_score,
  server.process_name AS server_process,
  server.thread_name AS server_thread,
  server.pid AS server_pid,
  server.tid AS server_tid,
  server.upid AS server_upid,
  server.utid AS server_utid,
  server.ts AS server_ts,
  server.dur AS server_dur,
  regexp_extract(server.name, 'token=([^ ]+)') AS token,
  regexp_extract(server.name, 'act=([^ }]+)') AS act,
  regexp_extract(server.name, 'cmp=([^ }]+)') AS cmp,
  regexp_extract(server.name, 'flg=([^ }]+)') AS flg,
  server.bind_seq
FROM _service_answers AS server
JOIN _service_requests AS client ON client.bind_seq = server.bind_seq
LEFT JOIN _oom_score AS client_score
  ON client_score.upid = client.upid AND client.ts BETWEEN client_score.ts AND client_score.ts + client_score.dur
LEFT JOIN _oom_score AS server_score
  ON server_score.upid = server.upid AND server.ts BETWEEN server_score.ts AND server_score.ts + server_score.dur;

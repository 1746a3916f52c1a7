-- ANRs as system_server records them: a counter "ErrorId:PROCESS PID#ID" when it detects one, another counter
-- "Subject(for ErrorId ID):SUBJECT", and a slice "expired(TIMER,PID,UID,KIND,MS)" for the expired timer.

CREATE PERFETTO FUNCTION _anr_type_of_subject(subject STRING, process_name STRING) RETURNS STRING AS
SELECT
  CASE
    WHEN $subject IS NULL THEN NULL
    WHEN $subject GLOB 'Broadcast of*' THEN 'BROADCAST_OF_INTENT'
    WHEN $subject GLOB 'Input dispatching timed out*'
      THEN iif(
        $subject GLOB '*does not have a focused window*'
          OR $subject GLOB '*Waiting because no window has focus but there is a focused application*',
        'INPUT_DISPATCHING_TIMEOUT_NO_FOCUSED_WINDOW',
        'INPUT_DISPATCHING_TIMEOUT'
      )
    WHEN $subject GLOB 'Context.startForegroundService() did not then call Service.startForeground()*'
      THEN 'START_FOREGROUND_SERVICE'
    WHEN $subject GLOB 'executing service*' THEN 'EXECUTING_SERVICE'
    WHEN $subject GLOB 'ContentProvider not responding*' THEN 'CONTENT_PROVIDER_NOT_RESPONDING'
    WHEN $subject = 'App requested: Buffer processing hung up due to stuck fence. Indicates GPU hang' THEN 'GPU_HANG'
    WHEN $subject GLOB 'No response to onStartJob*' THEN 'JOB_SERVICE_START'
    WHEN $subject GLOB 'No response to onStopJob*' THEN 'JOB_SERVICE_STOP'
    WHEN $subject GLOB 'Timed out while trying to bind*' THEN 'JOB_SERVICE_BIND'
    WHEN $subject GLOB 'required notification not provided*' THEN 'JOB_SERVICE_NOTIFICATION_NOT_PROVIDED'
    WHEN $subject GLOB 'Process ProcessRecord{*} failed to complete startup' THEN 'BIND_APPLICATION'
    WHEN $subject GLOB 'A foreground service of FOREGROUND_SERVICE_TYPE_SHORT_SERVICE did not stop within a timeout*'
      THEN 'FOREGROUND_SHORT_SERVICE_TIMEOUT'
    WHEN $subject GLOB 'A foreground service of type*' THEN 'FOREGROUND_SERVICE_TIMEOUT'
    WHEN $subject GLOB 'App requested: *' THEN 'APP_TRIGGERED'
    WHEN $process_name = 'system_server' THEN 'SYSTEM_SERVER_WATCHDOG_TIMEOUT'
    ELSE 'UNKNOWN_ANR_TYPE'
  END;

CREATE PERFETTO FUNCTION _anr_type_of_timer(kind STRING) RETURNS STRING AS
SELECT
  CASE $kind
    WHEN 'BROADCAST_TIMEOUT' THEN 'BROADCAST_OF_INTENT'
    WHEN 'SERVICE_TIMEOUT' THEN 'EXECUTING_SERVICE'
    WHEN 'SHORT_FGS_TIMEOUT' THEN 'FOREGROUND_SHORT_SERVICE_TIMEOUT'
    WHEN 'SERVICE_FOREGROUND_TIMEOUT' THEN 'FOREGROUND_SERVICE_TIMEOUT'
    WHEN 'JobScheduler' THEN NULL
    ELSE $kind
  END;

-- The text after the first occurrence of a marker, up to an end marker.
CREATE PERFETTO FUNCTION _anr_word(subject STRING, mark STRING, word_end STRING) RETURNS STRING AS
SELECT str_split(substr($subject, instr($subject, $mark) + length($mark)), $word_end, 0);

CREATE PERFETTO FUNCTION _anr_intent(anr_type STRING, subject STRING) RETURNS STRING AS
SELECT
  CASE
    WHEN $anr_type != 'BROADCAST_OF_INTENT' THEN NULL
    WHEN $subject GLOB 'Broadcast of Intent *act=*' THEN _anr_word($subject, 'act=', ' ')
    WHEN $subject GLOB 'Broadcast of */u*' THEN _anr_word($subject, 'Broadcast of ', '/u')
  END;

CREATE PERFETTO FUNCTION _anr_component(anr_type STRING, subject STRING) RETURNS STRING AS
SELECT
  CASE $anr_type
    WHEN 'BROADCAST_OF_INTENT' THEN _anr_word($subject, ' cmp=', ' ')
    WHEN 'INPUT_DISPATCHING_TIMEOUT' THEN str_split(_anr_word($subject, '(', char(10)), ' ', 1)
    WHEN 'START_FOREGROUND_SERVICE' THEN str_split(_anr_word($subject, ' u', char(10)), ' ', 1)
    WHEN 'EXECUTING_SERVICE' THEN _anr_word($subject, 'executing service ', ',')
    WHEN 'FOREGROUND_SHORT_SERVICE_TIMEOUT' THEN _anr_word($subject, 'ComponentInfo{', '}')
    WHEN 'FOREGROUND_SERVICE_TIMEOUT' THEN _anr_word($subject, 'ComponentInfo{', '}')
    WHEN 'APP_TRIGGERED' THEN _anr_word($subject, 'App requested: ', char(10))
  END;

-- Default ANR timeouts of Android. Background broadcasts have 60 s; the foreground flag of a broadcast is the lowest bit of the
-- eighth hexadecimal digit of its flags.
CREATE PERFETTO FUNCTION _anr_default_ms(anr_type STRING, subject STRING) RETURNS LONG AS
SELECT
  CASE $anr_type
    WHEN 'BROADCAST_OF_INTENT'
      THEN iif(
        $subject GLOB 'Broadcast of Intent * flg=0x*'
          AND instr('13579bdf', substr('0000000' || _anr_word($subject, ' flg=0x', ' '), -8, 1)) = 0,
        60000,
        10000
      )
    WHEN 'INPUT_DISPATCHING_TIMEOUT' THEN 5000
    WHEN 'INPUT_DISPATCHING_TIMEOUT_NO_FOCUSED_WINDOW' THEN 5000
    WHEN 'START_FOREGROUND_SERVICE' THEN 30000
    WHEN 'EXECUTING_SERVICE' THEN 20000
    WHEN 'JOB_SERVICE_START' THEN 8000
    WHEN 'JOB_SERVICE_STOP' THEN 8000
    WHEN 'JOB_SERVICE_BIND' THEN 8000
    WHEN 'JOB_SERVICE_NOTIFICATION_NOT_PROVIDED' THEN 8000
    WHEN 'BIND_APPLICATION' THEN 15000
    WHEN 'FOREGROUND_SHORT_SERVICE_TIMEOUT' THEN 180000
    WHEN 'FOREGROUND_SERVICE_TIMEOUT' THEN 30000
  END;

CREATE PERFETTO TABLE _anr_counter AS
SELECT track.name, counter.ts
FROM process_counter_track AS track
JOIN process USING (upid)
JOIN counter ON counter.track_id = track.id
WHERE process.name = 'system_server' AND (track.name GLOB 'ErrorId:*' OR track.name GLOB 'Subject(for ErrorId *');

CREATE PERFETTO TABLE android_anrs AS
WITH anr AS (
  SELECT
    str_split(str_split(substr(name, 9), '#', 0), ' ', 0) AS process_name,
    CAST(str_split(str_split(substr(name, 9), '#', 0), ' ', 1) AS INT) AS pid,
    str_split(name, '#', 1) AS error_id,
    ts
  FROM _anr_counter
  WHERE name GLOB 'ErrorId:*'
),
subject AS (
  SELECT
    substr(str_split(name, ')', 0), 21) AS error_id,
    substr(name, instr(name, ')') + 2) AS subject
  FROM _anr_counter
  WHERE name GLOB 'Subject(for ErrorId *'
  GROUP BY name
),
timer AS (
  SELECT
    ts AS timer_ts,
    CAST(str_split(name, ',', 1) AS INT) AS pid,
    str_split(name, ',', 3) AS kind,
    CAST(str_split(name, ',', 4) AS INT) AS ms
  FROM slice
  WHERE name GLOB 'expired(*,*,*,*,*)'
),
-- the process's last expired timer before the ANR
timed AS (
  SELECT anr.error_id, max(timer.timer_ts) AS timer_ts, timer.kind, timer.ms
  FROM anr
  JOIN timer ON timer.pid = anr.pid AND timer.timer_ts <= anr.ts
  GROUP BY anr.error_id
),
reported AS (
  SELECT
    anr.process_name,
    anr.pid,
    anr.error_id,
    anr.ts,
    subject.subject,
    anr.ts - timed.timer_ts AS timer_delay,
    coalesce(_anr_type_of_timer(timed.kind), _anr_type_of_subject(subject.subject, anr.process_name)) AS anr_type,
    coalesce(timed.ms, CAST(regexp_extract(subject.subject, 'Blocked in.* for ([0-9]+)s') AS INT) * 1000) AS anr_dur_ms
  FROM anr
  LEFT JOIN subject USING (error_id)
  LEFT JOIN timed USING (error_id)
)
SELECT
  reported.process_name,
  reported.pid,
  process.upid,
  reported.error_id,
  reported.ts,
  reported.subject,
  _anr_intent(reported.anr_type, reported.subject) AS intent,
  _anr_component(reported.anr_type, reported.subject) AS component,
  reported.timer_delay,
  reported.anr_type,
  reported.anr_dur_ms,
  _anr_default_ms(reported.anr_type, reported.subject) AS default_anr_dur_ms
FROM reported
LEFT JOIN process ON process.pid = reported.pid;

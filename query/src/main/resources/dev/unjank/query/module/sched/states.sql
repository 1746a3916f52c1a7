-- Readable names of scheduler states.

CREATE PERFETTO FUNCTION _sched_state_letter(letter STRING) RETURNS STRING AS
SELECT
  CASE $letter
    WHEN 'R' THEN 'Runnable'
    WHEN 'S' THEN 'Sleeping'
    WHEN 'D' THEN 'Uninterruptible Sleep'
    WHEN 'T' THEN 'Stopped'
    WHEN 't' THEN 'Traced'
    WHEN 'X' THEN 'Exit (Dead)'
    WHEN 'Z' THEN 'Exit (Zombie)'
    WHEN 'x' THEN 'Task Dead'
    WHEN 'I' THEN 'Idle'
    WHEN 'K' THEN 'Wake Kill'
    WHEN 'W' THEN 'Waking'
    WHEN 'P' THEN 'Parked'
    WHEN 'N' THEN 'No Load'
    WHEN '+' THEN '(Preempted)'
  END;

CREATE PERFETTO FUNCTION sched_state_to_human_readable_string(short_name STRING) RETURNS STRING AS
SELECT
  CASE
    WHEN $short_name = 'Running' THEN 'Running'
    WHEN $short_name = 'R+' THEN 'Runnable (Preempted)'
    WHEN length($short_name) > 3 THEN $short_name
    ELSE
      coalesce(_sched_state_letter(substr($short_name, 1, 1)), $short_name)
        || coalesce(' ' || _sched_state_letter(substr($short_name, 2, 1)), '')
        || coalesce(' ' || _sched_state_letter(substr($short_name, 3, 1)), '')
  END;

CREATE PERFETTO FUNCTION sched_state_io_to_human_readable_string(sched_state STRING, io_wait BOOL) RETURNS STRING AS
SELECT
  sched_state_to_human_readable_string($sched_state)
    || CASE WHEN $io_wait = 1 THEN ' (IO)' WHEN $io_wait = 0 THEN ' (non-IO)' ELSE '' END;

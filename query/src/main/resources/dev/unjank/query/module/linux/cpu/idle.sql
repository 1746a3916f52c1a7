-- Idle state of each CPU; -1 while it was not idle, which the kernel records as the largest 32-bit integer.
INCLUDE PERFETTO MODULE counters.intervals;

CREATE PERFETTO VIEW _cpu_idle_states AS
SELECT counter.id, counter.ts, counter.track_id, counter.value
FROM counter
JOIN cpu_counter_track AS track ON track.id = counter.track_id
WHERE track.name = 'cpuidle';

CREATE PERFETTO TABLE cpu_idle_counters AS
SELECT
  span.id,
  span.track_id,
  span.ts,
  span.dur,
  CAST(iif(span.value = 4294967295, -1, span.value) AS INT) AS idle,
  track.cpu
FROM counter_leading_intervals!(_cpu_idle_states) AS span
JOIN cpu_counter_track AS track ON track.id = span.track_id;

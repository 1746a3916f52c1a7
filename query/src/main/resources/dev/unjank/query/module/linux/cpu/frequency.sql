-- CPU frequency in kHz, as intervals.
INCLUDE PERFETTO MODULE counters.intervals;

CREATE PERFETTO VIEW _cpu_frequencies AS
SELECT counter.id, counter.ts, counter.track_id, counter.value
FROM counter
JOIN cpu_counter_track AS track ON track.id = counter.track_id
WHERE track.name = 'cpufreq';

CREATE PERFETTO TABLE cpu_frequency_counters AS
SELECT
  span.id, span.track_id, span.ts, span.dur, CAST(span.value AS INT) AS freq, track.cpu AS ucpu, track.cpu
FROM counter_leading_intervals!(_cpu_frequencies) AS span
JOIN cpu_counter_track AS track ON track.id = span.track_id;

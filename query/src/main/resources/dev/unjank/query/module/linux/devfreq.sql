-- Frequency of the cluster that connects the CPUs.
INCLUDE PERFETTO MODULE counters.intervals;

CREATE PERFETTO VIEW _dsu_frequencies AS
SELECT counter.id, counter.ts, counter.track_id, counter.value
FROM counter
JOIN counter_track AS track ON track.id = counter.track_id
WHERE track.name = 'devfreq_dsu Frequency' OR track.name GLOB '*devfreq_dsu*';

CREATE PERFETTO TABLE linux_devfreq_dsu_counter AS
SELECT id, ts, dur, CAST(value AS INT) AS dsu_freq FROM counter_leading_intervals!(_dsu_frequencies);

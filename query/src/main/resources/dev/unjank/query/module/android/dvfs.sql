-- Frequencies of clocks other than those of CPUs: devices, buses and memory.

CREATE PERFETTO VIEW android_dvfs_counters AS
SELECT
  track.name,
  counter.ts,
  counter.value,
  lead(counter.ts, 1, trace_end()) OVER (PARTITION BY track.id ORDER BY counter.ts) - counter.ts AS dur
FROM counter
JOIN counter_track AS track ON track.id = counter.track_id
WHERE track.name GLOB '* Frequency' AND track.type != 'cpu_frequency';

CREATE PERFETTO TABLE android_dvfs_counter_stats AS
SELECT
  name, max(value) AS max, min(value) AS min, max(ts) - min(ts) AS dur,
  sum(value * dur) / nullif(sum(dur), 0) AS wgt_avg
FROM android_dvfs_counters
GROUP BY name
ORDER BY name;

CREATE PERFETTO VIEW android_dvfs_counter_residency AS
WITH total AS (
  SELECT name, sum(dur) AS dur FROM android_dvfs_counters GROUP BY name
)
SELECT
  counter.name, counter.value, sum(counter.dur) AS dur, sum(counter.dur) * 100.0 / nullif(total.dur, 0) AS pct
FROM android_dvfs_counters AS counter
JOIN total ON total.name = counter.name
GROUP BY counter.name, counter.value
ORDER BY counter.name, counter.value;

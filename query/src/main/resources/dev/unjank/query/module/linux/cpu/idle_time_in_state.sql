-- Time of CPUs in each idle state, from counters of the kernel in microseconds; C0 is the rest of the time.

CREATE PERFETTO TABLE _idle_residency AS
SELECT
  counter.ts,
  counter.value - lag(counter.value) OVER (PARTITION BY track.id ORDER BY counter.ts) AS residency,
  (counter.ts - lag(counter.ts) OVER (PARTITION BY track.id ORDER BY counter.ts)) / 1000 AS time_slice,
  substr(track.name, length('cpuidle.') + 1) AS state,
  track.cpu
FROM counter
JOIN cpu_counter_track AS track ON track.id = counter.track_id
WHERE track.type = 'cpu_idle_state';

CREATE PERFETTO TABLE linux_per_cpu_idle_time_in_state_counters AS
WITH known AS (
  SELECT ts, state, cpu, residency, time_slice FROM _idle_residency WHERE residency IS NOT NULL
)
SELECT
  ts, 0 AS machine_id, state, cpu, residency * 100.0 / time_slice AS idle_percentage, residency AS total_residency, time_slice
FROM known
UNION ALL
SELECT
  ts, 0, 'C0', cpu, (time_slice - sum(residency)) * 100.0 / time_slice, time_slice - sum(residency), time_slice
FROM known
GROUP BY ts, cpu, time_slice;

CREATE PERFETTO TABLE linux_cpu_idle_time_in_state_counters AS
SELECT
  ts, machine_id, state, sum(total_residency) * 100.0 / sum(time_slice) AS idle_percentage,
  sum(total_residency) AS total_residency, sum(time_slice) AS time_slice
FROM linux_per_cpu_idle_time_in_state_counters
GROUP BY ts, machine_id, state
ORDER BY ts, state;

-- Idle states of each CPU: how often, for how long, and the part of the time from its first to its last idle state.
INCLUDE PERFETTO MODULE linux.cpu.idle;

CREATE PERFETTO TABLE cpu_idle_stats AS
WITH total AS (
  SELECT cpu, sum(dur) AS dur FROM cpu_idle_counters GROUP BY cpu
)
SELECT
  idle.cpu,
  idle.idle + 1 AS state,
  count(*) AS count,
  sum(idle.dur) AS dur,
  sum(idle.dur) / count(*) AS avg_dur,
  sum(idle.dur) * 100.0 / total.dur AS idle_percent
FROM cpu_idle_counters AS idle
JOIN total ON total.cpu = idle.cpu
WHERE idle.idle != -1
GROUP BY idle.cpu, idle.idle
ORDER BY idle.cpu, idle.idle;

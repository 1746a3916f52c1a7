-- CPU utilization of processes.
INCLUDE PERFETTO MODULE linux.cpu.utilization.general;

CREATE PERFETTO FUNCTION cpu_process_utilization_per_period(interval LONG, upid LONG)
RETURNS TABLE(ts TIMESTAMP, utilization DOUBLE, unnormalized_utilization DOUBLE) AS
SELECT ts, utilization, unnormalized_utilization
FROM _utilization_per_period!($interval, (
  SELECT run.ts, run.ts_end FROM _busy_sched AS run JOIN thread USING (utid) WHERE thread.upid = $upid
));

CREATE PERFETTO FUNCTION cpu_process_utilization_per_second(upid LONG)
RETURNS TABLE(ts TIMESTAMP, utilization DOUBLE, unnormalized_utilization DOUBLE) AS
SELECT * FROM cpu_process_utilization_per_period(1000000000, $upid);

CREATE PERFETTO TABLE cpu_cycles_per_process AS
SELECT upid, millicycles, megacycles, runtime, min_freq, max_freq, avg_freq
FROM _cycles_by!(upid, (
  SELECT cycles.*, thread.upid
  FROM cpu_cycles_per_thread_per_cpu AS cycles
  JOIN thread USING (utid)
  WHERE thread.upid IS NOT NULL
));

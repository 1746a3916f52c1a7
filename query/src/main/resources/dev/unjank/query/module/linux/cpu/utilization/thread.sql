-- CPU utilization of threads.
INCLUDE PERFETTO MODULE linux.cpu.utilization.general;

CREATE PERFETTO FUNCTION cpu_thread_utilization_per_period(interval LONG, utid LONG)
RETURNS TABLE(ts TIMESTAMP, utilization DOUBLE, unnormalized_utilization DOUBLE) AS
SELECT ts, utilization, unnormalized_utilization
FROM _utilization_per_period!($interval, (SELECT run.ts, run.ts_end FROM _busy_sched AS run WHERE run.utid = $utid));

CREATE PERFETTO FUNCTION cpu_thread_utilization_per_second(utid LONG)
RETURNS TABLE(ts TIMESTAMP, utilization DOUBLE, unnormalized_utilization DOUBLE) AS
SELECT * FROM cpu_thread_utilization_per_period(1000000000, $utid);

CREATE PERFETTO TABLE cpu_cycles_per_thread AS
SELECT utid, millicycles, megacycles, runtime, min_freq, max_freq, avg_freq
FROM _cycles_by!(utid, cpu_cycles_per_thread_per_cpu);

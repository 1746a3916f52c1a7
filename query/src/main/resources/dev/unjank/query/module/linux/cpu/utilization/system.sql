-- CPU utilization of the system.
INCLUDE PERFETTO MODULE linux.cpu.utilization.general;

CREATE PERFETTO FUNCTION cpu_utilization_per_period(interval LONG)
RETURNS TABLE(ts TIMESTAMP, utilization DOUBLE, unnormalized_utilization DOUBLE) AS
SELECT ts, utilization, unnormalized_utilization FROM _utilization_per_period!($interval, _busy_sched);

CREATE PERFETTO TABLE cpu_utilization_per_second AS
SELECT ts, utilization, unnormalized_utilization FROM cpu_utilization_per_period(1000000000) ORDER BY ts;

CREATE PERFETTO TABLE cpu_cycles AS
SELECT millicycles, megacycles, runtime, min_freq, max_freq, avg_freq
FROM _cycles_by!(everything, (SELECT *, 1 AS everything FROM cpu_cycles_per_thread_per_cpu));

CREATE PERFETTO TABLE cpu_cycles_per_cpu AS
SELECT ucpu, ucpu AS cpu, millicycles, megacycles, runtime, min_freq, max_freq, avg_freq
FROM _cycles_by!(ucpu, cpu_cycles_per_thread_per_cpu);

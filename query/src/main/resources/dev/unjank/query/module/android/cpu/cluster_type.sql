-- The type of each CPU, by its capacity or cluster; NULL if the trace has neither.

CREATE PERFETTO TABLE android_cpu_cluster_mapping AS
SELECT ucpu, cpu, CAST(NULL AS TEXT) AS cluster_type FROM sched GROUP BY ucpu, cpu ORDER BY ucpu;

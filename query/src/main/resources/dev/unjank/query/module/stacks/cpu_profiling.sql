-- Samples of CPU profilers.
INCLUDE PERFETTO MODULE linux.perf.samples;

CREATE PERFETTO VIEW cpu_profiling_samples AS
SELECT sample.id, sample.ts, sample.utid, thread.tid, thread.name AS thread_name, sample.cpu AS ucpu, sample.cpu,
  sample.callsite_id, 'linux.perf' AS source
FROM perf_sample AS sample
JOIN thread USING (utid);

CREATE PERFETTO VIEW cpu_profiling_summary_tree AS
SELECT id, parent_id, name, mapping_name, source_file, line_number, self_count, cumulative_count
FROM linux_perf_samples_summary_tree;

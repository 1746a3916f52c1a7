-- Time running on a CPU, and cycles, during each slice of a thread.
INCLUDE PERFETTO MODULE slices.with_context;
INCLUDE PERFETTO MODULE linux.cpu.utilization.slice;

CREATE PERFETTO TABLE thread_slice_cpu_time AS
SELECT
  slice.id,
  slice.name,
  slice.utid,
  slice.thread_name,
  slice.upid,
  slice.process_name,
  sum(min(slice.ts + slice.dur, run.ts + run.dur) - max(slice.ts, run.ts)) AS cpu_time
FROM thread_slice AS slice
JOIN sched AS run ON run.utid = slice.utid AND run.ts < slice.ts + slice.dur AND run.ts + run.dur > slice.ts
WHERE slice.utid > 0 AND slice.dur > 0
GROUP BY slice.id;

CREATE PERFETTO VIEW thread_slice_cpu_cycles AS
SELECT id, name, utid, thread_name, upid, process_name, millicycles, megacycles FROM cpu_cycles_per_thread_slice;

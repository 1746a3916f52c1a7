-- CPU cycles during each slice of a thread; NULL where the frequency is unknown.
INCLUDE PERFETTO MODULE linux.cpu.utilization.general;
INCLUDE PERFETTO MODULE slices.with_context;

CREATE PERFETTO MACRO _cycles_of_slices(spans TableOrSubquery) RETURNS TableOrSubquery AS (
  WITH cycles AS (
    SELECT
      span.id, CAST(sum((min(span.ts_end, run.ts + run.dur) - max(span.ts, run.ts)) * run.freq / 1000) AS INT) AS millicycles
    FROM $spans AS span
    JOIN _busy_at_frequency AS run ON run.utid = span.utid AND run.ts < span.ts_end AND run.ts + run.dur > span.ts
    GROUP BY span.id
  )
  SELECT
    slice.id, slice.name, slice.utid, slice.thread_name, slice.upid, slice.process_name, cycles.millicycles,
    CAST(cycles.millicycles / 1000000000 AS INT) AS megacycles
  FROM $spans AS span
  JOIN thread_slice AS slice ON slice.id = span.id
  LEFT JOIN cycles ON cycles.id = span.id
);

CREATE PERFETTO TABLE cpu_cycles_per_thread_slice AS
SELECT id, name, utid, thread_name, upid, process_name, millicycles, megacycles
FROM _cycles_of_slices!((SELECT id, utid, ts, ts + dur AS ts_end FROM thread_slice WHERE utid > 0 AND dur > 0))
ORDER BY id;

CREATE PERFETTO FUNCTION cpu_cycles_per_thread_slice_in_interval(ts TIMESTAMP, dur DURATION)
RETURNS TABLE(
  id LONG, name STRING, utid LONG, thread_name STRING, upid LONG, process_name STRING, millicycles LONG, megacycles LONG
) AS
SELECT id, name, utid, thread_name, upid, process_name, millicycles, megacycles
FROM _cycles_of_slices!((
  SELECT slice.id, slice.utid, max(slice.ts, $ts) AS ts, min(slice.ts + slice.dur, $ts + $dur) AS ts_end
  FROM thread_slice AS slice
  WHERE slice.utid > 0 AND slice.dur > 0 AND slice.ts < $ts + $dur AND slice.ts + slice.dur > $ts
));

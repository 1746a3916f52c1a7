-- Time in each thread state during each slice.
INCLUDE PERFETTO MODULE slices.with_context;

CREATE PERFETTO TABLE thread_slice_time_in_state AS
SELECT
  slice.id,
  slice.name,
  slice.utid,
  slice.thread_name,
  slice.upid,
  slice.process_name,
  state.state,
  state.io_wait,
  state.blocked_function,
  sum(min(slice.ts + slice.dur, state.ts + state.dur) - max(slice.ts, state.ts)) AS dur
FROM thread_slice AS slice
JOIN thread_state AS state
  ON state.utid = slice.utid
  AND state.ts < slice.ts + slice.dur
  AND state.ts + state.dur > slice.ts
WHERE slice.utid > 0 AND slice.dur > 0
GROUP BY slice.id, state.state, state.io_wait, state.blocked_function;

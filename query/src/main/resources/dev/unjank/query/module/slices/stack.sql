-- Slices with an id of their stack: equal for equal names from the outermost slice to the slice itself.

CREATE PERFETTO VIEW slice_with_stack_id AS
SELECT
  slice.id, slice.ts, slice.dur, slice.track_id, slice.category, slice.name, slice.depth, slice.parent_id,
  slice.arg_set_id, slice.thread_ts, slice.thread_dur, slice.thread_instruction_count, slice.thread_instruction_delta,
  stack.stack_id, stack.parent_stack_id
FROM slice
JOIN _slice_stacks AS stack ON stack.id = slice.id;

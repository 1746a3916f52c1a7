-- Definitions that every session has without INCLUDE.

CREATE PERFETTO MACRO cast_int(value Expr) RETURNS Expr AS CAST($value AS INT);

CREATE PERFETTO MACRO cast_double(value Expr) RETURNS Expr AS CAST($value AS REAL);

CREATE PERFETTO MACRO cast_string(value Expr) RETURNS Expr AS CAST($value AS TEXT);

-- Start, end and duration of the trace.
CREATE PERFETTO FUNCTION trace_start() RETURNS TIMESTAMP AS SELECT start_ts FROM trace_bounds;

CREATE PERFETTO FUNCTION trace_end() RETURNS TIMESTAMP AS SELECT end_ts FROM trace_bounds;

CREATE PERFETTO FUNCTION trace_dur() RETURNS DURATION AS SELECT end_ts - start_ts FROM trace_bounds;

-- An argument of a set by its key, as a string that is compared as a number if it looks like one. Booleans and
-- pointers are numbers.
CREATE PERFETTO FUNCTION extract_arg(arg_set_id ARGSETID, arg_name STRING) RETURNS ANY AS
SELECT any_value(iif(value_type IN ('bool', 'pointer'), CAST(int_value AS TEXT), display_value))
FROM args
WHERE args.arg_set_id = $arg_set_id AND args.key = $arg_name;

-- Slices with their ancestors.
CREATE PERFETTO TABLE _slice_ancestors AS
WITH RECURSIVE up(id, ancestor_id) AS (
  SELECT id, parent_id FROM slice WHERE parent_id IS NOT NULL
  UNION ALL
  SELECT up.id, slice.parent_id FROM up JOIN slice ON slice.id = up.ancestor_id WHERE slice.parent_id IS NOT NULL
)
SELECT id, ancestor_id FROM up;

CREATE PERFETTO FUNCTION ancestor_slice(slice_id LONG)
RETURNS TABLE(
  id LONG, ts TIMESTAMP, dur DURATION, track_id LONG, category STRING, name STRING, depth LONG, parent_id LONG,
  arg_set_id LONG, thread_ts LONG, thread_dur LONG, slice_id LONG
) AS
SELECT slice.*
FROM _slice_ancestors AS pair
JOIN slice ON slice.id = pair.ancestor_id
WHERE pair.id = $slice_id;

CREATE PERFETTO FUNCTION descendant_slice(slice_id LONG)
RETURNS TABLE(
  id LONG, ts TIMESTAMP, dur DURATION, track_id LONG, category STRING, name STRING, depth LONG, parent_id LONG,
  arg_set_id LONG, thread_ts LONG, thread_dur LONG, slice_id LONG
) AS
SELECT slice.*
FROM _slice_ancestors AS pair
JOIN slice ON slice.id = pair.id
WHERE pair.ancestor_id = $slice_id;

CREATE PERFETTO FUNCTION slice_is_ancestor(ancestor_id LONG, descendant_id LONG) RETURNS BOOL AS
SELECT EXISTS (
  SELECT 1 FROM _slice_ancestors AS pair WHERE pair.id = $descendant_id AND pair.ancestor_id = $ancestor_id
);

-- Flows reachable from a slice: forward from it and its descendants, ...
CREATE PERFETTO TABLE _flow_steps AS
SELECT slice_out AS at_id, id AS flow_id, slice_in AS next_id FROM flow
UNION ALL
SELECT pair.ancestor_id, flow.id, flow.slice_in
FROM flow JOIN _slice_ancestors AS pair ON pair.id = flow.slice_out;

CREATE PERFETTO TABLE _following_flows AS
WITH RECURSIVE reach(start_id, flow_id, next_id) AS (
  SELECT at_id, flow_id, next_id FROM _flow_steps
  UNION
  SELECT reach.start_id, step.flow_id, step.next_id
  FROM reach JOIN _flow_steps AS step ON step.at_id = reach.next_id
)
SELECT DISTINCT start_id, flow_id FROM reach;

-- ... backward from it and its ancestors, ...
CREATE PERFETTO TABLE _flow_steps_back AS
SELECT slice_in AS at_id, id AS flow_id, slice_out AS next_id FROM flow
UNION ALL
SELECT pair.id, flow.id, flow.slice_out
FROM flow JOIN _slice_ancestors AS pair ON pair.ancestor_id = flow.slice_in;

CREATE PERFETTO TABLE _preceding_flows AS
WITH RECURSIVE reach(start_id, flow_id, next_id) AS (
  SELECT at_id, flow_id, next_id FROM _flow_steps_back
  UNION
  SELECT reach.start_id, step.flow_id, step.next_id
  FROM reach JOIN _flow_steps_back AS step ON step.at_id = reach.next_id
)
SELECT DISTINCT start_id, flow_id FROM reach;

-- ... or in both directions from the slice itself.
CREATE PERFETTO TABLE _connected_flows AS
WITH RECURSIVE onward(start_id, flow_id, next_id) AS (
  SELECT slice_out, id, slice_in FROM flow
  UNION
  SELECT onward.start_id, flow.id, flow.slice_in FROM onward JOIN flow ON flow.slice_out = onward.next_id
),
back(start_id, flow_id, next_id) AS (
  SELECT slice_in, id, slice_out FROM flow
  UNION
  SELECT back.start_id, flow.id, flow.slice_out FROM back JOIN flow ON flow.slice_in = back.next_id
)
SELECT start_id, flow_id FROM onward
UNION
SELECT start_id, flow_id FROM back;

CREATE PERFETTO FUNCTION following_flow(slice_id LONG)
RETURNS TABLE(id LONG, slice_out LONG, slice_in LONG, trace_id LONG, arg_set_id LONG) AS
SELECT flow.* FROM _following_flows AS pair JOIN flow ON flow.id = pair.flow_id WHERE pair.start_id = $slice_id;

CREATE PERFETTO FUNCTION preceding_flow(slice_id LONG)
RETURNS TABLE(id LONG, slice_out LONG, slice_in LONG, trace_id LONG, arg_set_id LONG) AS
SELECT flow.* FROM _preceding_flows AS pair JOIN flow ON flow.id = pair.flow_id WHERE pair.start_id = $slice_id;

CREATE PERFETTO FUNCTION directly_connected_flow(slice_id LONG)
RETURNS TABLE(id LONG, slice_out LONG, slice_in LONG, trace_id LONG, arg_set_id LONG) AS
SELECT flow.* FROM _connected_flows AS pair JOIN flow ON flow.id = pair.flow_id WHERE pair.start_id = $slice_id;

-- Slices with an id of their stack, the names from the outermost slice to the slice itself.
CREATE PERFETTO TABLE _slice_stacks AS
WITH RECURSIVE down(id, stack_id, parent_stack_id) AS (
  SELECT id, hash(coalesce(category, '') || '|' || coalesce(name, '')), 0 FROM slice WHERE parent_id IS NULL
  UNION ALL
  SELECT
    slice.id,
    hash(CAST(down.stack_id AS TEXT) || '/' || coalesce(slice.category, '') || '|' || coalesce(slice.name, '')),
    down.stack_id
  FROM down
  JOIN slice ON slice.parent_id = down.id
)
SELECT id, stack_id, parent_stack_id FROM down;

CREATE PERFETTO FUNCTION ancestor_slice_by_stack(stack_hash LONG)
RETURNS TABLE(
  id LONG, ts TIMESTAMP, dur DURATION, track_id LONG, category STRING, name STRING, depth LONG, parent_id LONG,
  arg_set_id LONG, thread_ts LONG, thread_dur LONG
) AS
SELECT *
FROM slice
WHERE id IN (
  SELECT id FROM _slice_stacks WHERE stack_id = $stack_hash
  UNION
  SELECT pair.ancestor_id
  FROM _slice_stacks AS stack
  JOIN _slice_ancestors AS pair ON pair.id = stack.id
  WHERE stack.stack_id = $stack_hash
);

CREATE PERFETTO FUNCTION descendant_slice_by_stack(stack_hash LONG)
RETURNS TABLE(
  id LONG, ts TIMESTAMP, dur DURATION, track_id LONG, category STRING, name STRING, depth LONG, parent_id LONG,
  arg_set_id LONG, thread_ts LONG, thread_dur LONG
) AS
SELECT *
FROM slice
WHERE id IN (
  SELECT id FROM _slice_stacks WHERE stack_id = $stack_hash
  UNION
  SELECT pair.id
  FROM _slice_stacks AS stack
  JOIN _slice_ancestors AS pair ON pair.ancestor_id = stack.id
  WHERE stack.stack_id = $stack_hash
);

-- A slice and those around it.
CREATE PERFETTO FUNCTION _slice_ancestor_and_self(slice_id LONG)
RETURNS TABLE(
  id LONG, ts TIMESTAMP, dur DURATION, track_id LONG, category STRING, name STRING, depth LONG, parent_id LONG,
  arg_set_id LONG, thread_ts LONG, thread_dur LONG
) AS
SELECT slice.*
FROM slice
WHERE id = $slice_id OR id IN (SELECT ancestor_id FROM _slice_ancestors AS pair WHERE pair.id = $slice_id);

-- A slice and those within it.
CREATE PERFETTO FUNCTION _slice_descendant_and_self(slice_id LONG)
RETURNS TABLE(
  id LONG, ts TIMESTAMP, dur DURATION, track_id LONG, category STRING, name STRING, depth LONG, parent_id LONG,
  arg_set_id LONG, thread_ts LONG, thread_dur LONG
) AS
SELECT slice.*
FROM slice
WHERE id = $slice_id OR id IN (SELECT id FROM _slice_ancestors AS pair WHERE pair.ancestor_id = $slice_id);

-- Duration of each slice without its child slices.

CREATE PERFETTO TABLE slice_self_dur AS
WITH inner_dur AS (
  SELECT parent_id, sum(dur) AS dur FROM slice WHERE parent_id IS NOT NULL AND dur > 0 GROUP BY parent_id
)
SELECT slice.id, slice.dur - coalesce(inner_dur.dur, 0) AS self_dur
FROM slice
LEFT JOIN inner_dur ON inner_dur.parent_id = slice.id
WHERE slice.dur >= 0;

-- Stack samples as a tree: the number of samples that equal each stack, and of those that start with it.

CREATE PERFETTO TABLE _callsite_counts AS
SELECT callsite_id, count(*) AS self_count FROM perf_sample WHERE callsite_id IS NOT NULL GROUP BY callsite_id;

CREATE PERFETTO TABLE _callsite_totals AS
WITH RECURSIVE up(id, self_count) AS (
  SELECT callsite_id, self_count FROM _callsite_counts
  UNION ALL
  SELECT site.parent_id, up.self_count
  FROM up
  JOIN stack_profile_callsite AS site ON site.id = up.id
  WHERE site.parent_id IS NOT NULL
)
SELECT id, sum(self_count) AS cumulative_count FROM up GROUP BY id;

CREATE PERFETTO TABLE linux_perf_samples_summary_tree AS
SELECT
  site.id,
  site.parent_id,
  frame.name,
  mapping.name AS mapping_name,
  symbol.source_file,
  symbol.line_number,
  coalesce(own.self_count, 0) AS self_count,
  total.cumulative_count
FROM _callsite_totals AS total
JOIN stack_profile_callsite AS site ON site.id = total.id
JOIN stack_profile_frame AS frame ON frame.id = site.frame_id
LEFT JOIN stack_profile_mapping AS mapping ON mapping.id = frame.mapping
LEFT JOIN stack_profile_symbol AS symbol ON symbol.symbol_set_id = frame.symbol_set_id
LEFT JOIN _callsite_counts AS own ON own.callsite_id = site.id
ORDER BY site.id;

-- Splits a forest into one per group: the parent of a node becomes its nearest ancestor of the same group.
CREATE PERFETTO MACRO tree_structural_partition_by_group(tree_table TableOrSubquery) RETURNS TableOrSubquery AS (
  WITH RECURSIVE node AS (
    SELECT id, parent_id, group_key FROM $tree_table
  ),
  -- ancestors outside of the group are passed
  up(id, group_key, ancestor_id) AS (
    SELECT id, group_key, parent_id FROM node
    UNION ALL
    SELECT up.id, up.group_key, passed.parent_id
    FROM up JOIN node AS passed ON passed.id = up.ancestor_id
    WHERE passed.group_key != up.group_key
  ),
  found AS (
    SELECT up.id, up.ancestor_id
    FROM up JOIN node AS ancestor ON ancestor.id = up.ancestor_id AND ancestor.group_key = up.group_key
  )
  SELECT node.id, found.ancestor_id AS parent_id, node.group_key
  FROM node LEFT JOIN found ON found.id = node.id
);

INCLUDE PERFETTO MODULE graphs.partition;
WITH t(id, parent_id, group_key) AS (VALUES (1, NULL, 'x'), (2, 1, 'y'), (3, 2, 'x'), (4, 2, 'z'))
SELECT * FROM tree_structural_partition_by_group!(t) ORDER BY id;

-- Operations of block devices that are queued or in progress.
INCLUDE PERFETTO MODULE intervals.overlap;

CREATE PERFETTO FUNCTION linux_device_major_id(dev LONG) RETURNS LONG AS SELECT $dev >> 8;

CREATE PERFETTO FUNCTION linux_device_minor_id(dev LONG) RETURNS LONG AS SELECT $dev & 255;

CREATE PERFETTO TABLE _block_io AS
SELECT slice.ts, slice.dur, CAST(extract_arg(track.dimension_arg_set_id, 'block_device') AS INT) AS dev
FROM slice
JOIN track ON track.id = slice.track_id
WHERE track.type = 'block_io';

CREATE PERFETTO VIEW linux_active_block_io_operations_by_device AS
SELECT ts, value AS ops_in_queue_or_device, group_name AS dev
FROM intervals_overlap_count_by_group!(_block_io, ts, dur, dev)
ORDER BY ts;

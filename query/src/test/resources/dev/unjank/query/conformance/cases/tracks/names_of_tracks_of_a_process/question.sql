SELECT track.name AS track, slice.name, slice.ts, slice.dur
FROM slice
JOIN process_track AS track ON track.id = slice.track_id
ORDER BY slice.ts;

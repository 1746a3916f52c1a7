SELECT track.name, track.type, cpu.cpu, counter.ts, counter.value
FROM counter
JOIN counter_track AS track ON track.id = counter.track_id
LEFT JOIN cpu ON cpu.ucpu = track.ucpu
ORDER BY counter.ts, track.name;

-- Runs of ART's garbage collector with the heap size and the states of the collecting thread.

-- Outermost slices of the collector. Part of a compaction may follow in a slice of its own.
CREATE PERFETTO TABLE _gc_slices AS
WITH outermost AS (
  SELECT *, lead(name) OVER w AS next_name, lead(dur) OVER w AS next_dur FROM thread_slice WHERE depth = 0
  WINDOW w AS (PARTITION BY track_id ORDER BY ts)
)
SELECT
  id AS gc_id,
  name AS gc_name,
  ts,
  iif(dur = -1, trace_end() - ts, dur)
    + iif(next_name IN ('CompactionPhase', 'Background concurrent copying GC'), next_dur, 0) AS dur,
  utid,
  tid,
  upid,
  pid,
  thread_name,
  process_name
FROM outermost
WHERE name GLOB '*concurrent*GC';

CREATE PERFETTO TABLE _heap_sizes AS
SELECT
  counter.ts,
  lead(counter.ts, 1, trace_end()) OVER (PARTITION BY counter.track_id ORDER BY counter.ts) - counter.ts AS dur,
  track.upid,
  counter.value / 1000.0 AS mb
FROM counter
JOIN process_counter_track AS track ON track.id = counter.track_id
WHERE track.name = 'Heap size (KB)';

-- Heap sizes while the collector ran, and the first one after it.
CREATE PERFETTO TABLE _gc_heaps AS
WITH meanwhile AS (
  SELECT gc.gc_id, heap.mb
  FROM _gc_slices AS gc
  JOIN _heap_sizes AS heap ON heap.upid = gc.upid AND heap.ts < gc.ts + gc.dur AND heap.ts + heap.dur > gc.ts
),
afterwards AS (
  SELECT gc.gc_id, min(heap.ts) AS ts, heap.mb
  FROM _gc_slices AS gc
  JOIN _heap_sizes AS heap ON heap.upid = gc.upid AND heap.ts >= gc.ts + gc.dur
  GROUP BY gc.gc_id
)
SELECT gc_id, min(mb) AS min_heap_mb, max(mb) AS max_heap_mb
FROM (SELECT gc_id, mb FROM meanwhile UNION ALL SELECT gc_id, mb FROM afterwards)
GROUP BY gc_id;

CREATE PERFETTO VIEW _gc_thread_state AS
SELECT ts, dur, utid, state, io_wait FROM thread_state;

CREATE PERFETTO VIEW _gc_spans AS
SELECT gc_id, ts, dur, utid FROM _gc_slices;

CREATE VIRTUAL TABLE _gc_states USING SPAN_LEFT_JOIN(_gc_spans PARTITIONED utid, _gc_thread_state PARTITIONED utid);

CREATE PERFETTO TABLE _gc_state_times AS
SELECT
  gc_id,
  sum(iif(state = 'Running', dur, 0)) AS running,
  sum(iif(state IN ('R', 'R+'), dur, 0)) AS runnable,
  sum(iif(state = 'D' AND io_wait = 1, dur, 0)) AS io,
  sum(iif(state = 'D' AND io_wait != 1, dur, 0)) AS not_io,
  sum(iif(state = 'S', dur, 0)) AS asleep
FROM _gc_states
GROUP BY gc_id;

CREATE PERFETTO TABLE android_garbage_collection_events AS
SELECT
  gc.tid,
  gc.pid,
  gc.utid,
  gc.upid,
  gc.thread_name,
  gc.process_name,
  CASE
    WHEN gc.gc_name GLOB '*NativeAlloc*' THEN 'native_alloc'
    WHEN gc.gc_name GLOB '*Alloc*' THEN 'alloc'
    WHEN gc.gc_name GLOB '*young*' THEN 'young'
    WHEN gc.gc_name GLOB '*CollectorTransition*' THEN 'collector_transition'
    WHEN gc.gc_name GLOB '*Explicit*' THEN 'explicit'
    ELSE 'full'
  END AS gc_type,
  gc.gc_name GLOB '*mark compact*' AS is_mark_compact,
  heap.max_heap_mb - heap.min_heap_mb AS reclaimed_mb,
  heap.min_heap_mb,
  heap.max_heap_mb,
  gc.gc_id,
  gc.ts AS gc_ts,
  gc.dur AS gc_dur,
  state.running AS gc_running_dur,
  state.runnable AS gc_runnable_dur,
  state.io AS gc_unint_io_dur,
  state.not_io AS gc_unint_non_io_dur,
  state.asleep AS gc_int_dur
FROM _gc_slices AS gc
LEFT JOIN _gc_heaps AS heap ON heap.gc_id = gc.gc_id
LEFT JOIN _gc_state_times AS state ON state.gc_id = gc.gc_id
ORDER BY gc.ts;

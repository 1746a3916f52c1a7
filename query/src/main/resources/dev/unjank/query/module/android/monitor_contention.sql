-- Waits for ART's monitors, as trace processor tells them: by the outer slice's text alone. On Android 12 and 13 the number in
-- it is no thread id of the kernel, so the owner is missing or wrong there; the doctor's unjank_incident has it right.
-- Slices without " at METHOD" are left out, as there.

CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_blocking_thread(slice_name STRING) RETURNS STRING AS
SELECT regexp_extract($slice_name, 'with owner (.*?)(?: \(|$)');

CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_blocking_tid(slice_name STRING) RETURNS INT AS
SELECT CAST(regexp_extract($slice_name, ' \(([^)]*)') AS INT);

CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_blocking_method(slice_name STRING) RETURNS STRING AS
SELECT regexp_extract($slice_name, '\) at ([^(]*\([^(]*)');

CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_blocked_method(slice_name STRING) RETURNS STRING AS
SELECT regexp_extract($slice_name, 'blocking from ([^(]*\([^(]*)');

-- The method without return type and arguments.
CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_short_blocking_method(slice_name STRING) RETURNS STRING AS
SELECT regexp_extract($slice_name, '\) at [^ (]* ([^( ]*)[^(]*\(');

CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_short_blocked_method(slice_name STRING) RETURNS STRING AS
SELECT regexp_extract($slice_name, 'blocking from [^ (]* ([^( ]*)[^(]*\(');

CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_waiter_count(slice_name STRING) RETURNS INT AS
SELECT CAST(regexp_extract($slice_name, 'waiters=([^ ]*)') AS INT);

CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_blocking_src(slice_name STRING) RETURNS STRING AS
SELECT regexp_extract($slice_name, '\)\(([^)]*)');

CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_blocked_src(slice_name STRING) RETURNS STRING AS
SELECT regexp_extract($slice_name, '\)\(.*?\)\(([^)]*)');

-- The functions above say how names are cut; the rows come from the model (ContentionTables).
CREATE PERFETTO VIEW android_monitor_contention AS SELECT * FROM _android_monitor_contention;

-- Which contention began while the owner of its lock was itself waiting in another one.
CREATE PERFETTO TABLE _contention_pairs AS
SELECT parent.id AS parent_id, child.id AS child_id
FROM android_monitor_contention AS parent
JOIN android_monitor_contention AS child
  ON parent.blocked_utid = child.blocking_utid AND child.ts BETWEEN parent.ts AND parent.ts + parent.dur;

-- Each contention with each one that blocks it and each one that it blocks.
CREATE PERFETTO TABLE android_monitor_contention_chain AS
SELECT DISTINCT up.parent_id, c.*, down.child_id
FROM android_monitor_contention AS c
LEFT JOIN _contention_pairs AS up ON up.child_id = c.id
LEFT JOIN _contention_pairs AS down ON down.parent_id = c.id;

-- The first to wait for a lock, until somebody has got it: the time in which its owner surely held it.
CREATE PERFETTO VIEW _first_blocked_contention AS
SELECT first.id, first.blocking_utid, first.ts, min(other.ts + other.dur) - first.ts AS dur
FROM android_monitor_contention_chain AS first
JOIN android_monitor_contention_chain AS other
  ON other.blocking_utid = first.blocking_utid
  AND other.blocking_method = first.blocking_method
  AND other.ts BETWEEN first.ts AND first.ts + first.dur
WHERE first.waiter_count = 0
GROUP BY first.id;

CREATE PERFETTO VIEW _blocking_thread_state AS
SELECT utid AS blocking_utid, ts, dur, state, blocked_function FROM thread_state;

CREATE VIRTUAL TABLE _contention_thread_state
USING SPAN_JOIN(_first_blocked_contention PARTITIONED blocking_utid, _blocking_thread_state PARTITIONED blocking_utid);

CREATE PERFETTO TABLE android_monitor_contention_chain_thread_state AS
SELECT id, ts, dur, blocking_utid, blocked_function, state FROM _contention_thread_state;

CREATE PERFETTO VIEW android_monitor_contention_chain_thread_state_by_txn AS
SELECT id, state AS thread_state, sum(dur) AS thread_state_dur, count(dur) AS thread_state_count
FROM android_monitor_contention_chain_thread_state
GROUP BY id, state;

CREATE PERFETTO VIEW android_monitor_contention_chain_blocked_functions_by_txn AS
SELECT id, blocked_function, sum(dur) AS blocked_function_dur, count(dur) AS blocked_function_count
FROM android_monitor_contention_chain_thread_state
WHERE blocked_function IS NOT NULL
GROUP BY id, blocked_function;

-- The contentions of a process as the edges of a graph.
CREATE PERFETTO FUNCTION android_monitor_contention_graph(upid LONG) RETURNS TABLE(source STRING, target STRING, dur LONG) AS
SELECT blocking_thread_name AS source, blocked_thread_name AS target, sum(dur) AS dur
FROM android_monitor_contention
WHERE upid = $upid
GROUP BY blocking_thread_name, blocked_thread_name;

-- Monitor contention in ART, as in trace processor: only from the outer slice's name. On Android 12 and 13 the number in it is
-- not a tid, so the owner is missing or wrong; the doctor's unjank_incident is correct. Slices without " at METHOD" are left out,
-- as in trace processor.

CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_blocking_thread(slice_name STRING) RETURNS STRING AS
SELECT regexp_extract($slice_name, 'with owner (.*?)(?: \(|$)');

CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_blocking_tid(slice_name STRING) RETURNS INT AS
SELECT CAST(regexp_extract($slice_name, ' \(([^)]*)') AS INT);

CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_blocking_method(slice_name STRING) RETURNS STRING AS
SELECT regexp_extract($slice_name, '\) at ([^(]*\([^(]*)');

CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_blocked_method(slice_name STRING) RETURNS STRING AS
SELECT regexp_extract($slice_name, 'blocking from ([^(]*\([^(]*)');

-- The method's name without return type and arguments.
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

-- The functions above parse names; the rows are made in Java (MonitorContentionTable).
CREATE PERFETTO VIEW android_monitor_contention AS
SELECT *, CAST(NULL AS TEXT) AS lock_name FROM _android_monitor_contention;

-- Pairs of contentions: the second one started while its lock's owner was blocked in the first one.
CREATE PERFETTO TABLE _contention_pairs AS
SELECT parent.id AS parent_id, child.id AS child_id
FROM android_monitor_contention AS parent
JOIN android_monitor_contention AS child
  ON parent.blocked_utid = child.blocking_utid AND child.ts BETWEEN parent.ts AND parent.ts + parent.dur;

-- Contentions with the contentions that block them and that they block.
CREATE PERFETTO TABLE android_monitor_contention_chain AS
SELECT DISTINCT up.parent_id, c.*, down.child_id, CAST(NULL AS TEXT) AS lock_name
FROM _android_monitor_contention AS c
LEFT JOIN _contention_pairs AS up ON up.child_id = c.id
LEFT JOIN _contention_pairs AS down ON down.parent_id = c.id;

-- The first waiter of a lock, until a waiter acquires it: in this time, its owner certainly holds the lock.
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

-- Contentions of a process as edges of a graph.
CREATE PERFETTO FUNCTION android_monitor_contention_graph(upid LONG) RETURNS TABLE(source STRING, target STRING, dur LONG) AS
SELECT blocking_thread_name AS source, blocked_thread_name AS target, sum(dur) AS dur
FROM android_monitor_contention
WHERE upid = $upid
GROUP BY blocking_thread_name, blocked_thread_name;

-- Shared by the utilization modules. A period starts at a multiple of its length, so the first and last period of a trace are
-- truncated. A scheduling slice in several periods counts in each with its part.
INCLUDE PERFETTO MODULE linux.cpu.frequency;

-- The first 100,000 integers, which limits the number of periods.
CREATE PERFETTO TABLE _numbers AS
WITH digit(n) AS (
  VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)
)
SELECT a.n + 10 * b.n + 100 * c.n + 1000 * d.n + 10000 * e.n AS n
FROM digit AS a, digit AS b, digit AS c, digit AS d, digit AS e;

CREATE PERFETTO FUNCTION _periods(period LONG) RETURNS TABLE(ts TIMESTAMP) AS
SELECT (trace_start() / $period + n) * $period AS ts
FROM _numbers
WHERE n <= trace_end() / $period - trace_start() / $period;

CREATE PERFETTO VIEW _busy_sched AS
SELECT ts, dur, ts + dur AS ts_end, ucpu, utid
FROM sched
WHERE dur >= 0 AND utid NOT IN (SELECT utid FROM thread WHERE is_idle);

CREATE PERFETTO MACRO _utilization_per_period(period Expr, runs TableOrSubquery)
RETURNS TableOrSubquery AS (
  SELECT
    span.ts,
    sum(min(run.ts_end, span.ts + $period) - max(run.ts, span.ts))
      / (CAST($period AS REAL) * (SELECT max(cpu) + 1 FROM sched)) AS utilization,
    sum(min(run.ts_end, span.ts + $period) - max(run.ts, span.ts)) / CAST($period AS REAL) AS unnormalized_utilization
  FROM _periods($period) AS span
  JOIN $runs AS run ON run.ts < span.ts + $period AND run.ts_end > span.ts
  GROUP BY span.ts
);

CREATE PERFETTO VIEW _busy_spans AS
SELECT ts, dur, ucpu, utid FROM _busy_sched;

CREATE PERFETTO VIEW _frequency_spans AS
SELECT ts, dur, ucpu, cpu, freq FROM cpu_frequency_counters;

CREATE VIRTUAL TABLE _busy_at_frequency
USING SPAN_LEFT_JOIN(_busy_spans PARTITIONED ucpu, _frequency_spans PARTITIONED ucpu);

-- A kHz is a cycle per ms, so time in ns times frequency in kHz is cycles times a million.
CREATE PERFETTO TABLE cpu_cycles_per_thread_per_cpu AS
SELECT
  utid,
  ucpu,
  ucpu AS cpu,
  CAST(sum(dur * freq / 1000) AS INT) AS millicycles,
  CAST(sum(dur * freq / 1000) / 1e9 AS INT) AS megacycles,
  sum(dur) AS runtime,
  min(freq) AS min_freq,
  max(freq) AS max_freq,
  CAST(sum(dur * freq / 1000) / (sum(iif(freq IS NOT NULL, dur, 0)) / 1000.0) AS INT) AS avg_freq,
  sum(iif(freq IS NOT NULL, dur, 0)) AS _known
FROM _busy_at_frequency
GROUP BY utid, ucpu;

CREATE PERFETTO MACRO _cycles_by(grouping ColumnName, rows TableOrSubquery)
RETURNS TableOrSubquery AS (
  SELECT
    $grouping,
    sum(millicycles) AS millicycles,
    CAST(sum(millicycles) / 1e9 AS INT) AS megacycles,
    sum(runtime) AS runtime,
    min(min_freq) AS min_freq,
    max(max_freq) AS max_freq,
    CAST(sum(millicycles) / (sum(_known) / 1000.0) AS INT) AS avg_freq
  FROM $rows
  GROUP BY $grouping
);

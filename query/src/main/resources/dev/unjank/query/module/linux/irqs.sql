-- Interrupts and their deferred work, as slices of CPUs.

CREATE PERFETTO VIEW linux_hard_irqs AS
SELECT slice.ts, slice.dur, slice.name, slice.id, slice.parent_id
FROM slice
JOIN track ON track.id = slice.track_id
WHERE track.type = 'cpu_irq';

CREATE PERFETTO VIEW linux_soft_irqs AS
SELECT slice.ts, slice.dur, slice.name, slice.id
FROM slice
JOIN track ON track.id = slice.track_id
WHERE track.type = 'cpu_softirq';

CREATE PERFETTO VIEW linux_irqs AS
SELECT ts, dur, name, id, parent_id, 0 AS is_soft_irq FROM linux_hard_irqs
UNION ALL
SELECT ts, dur, name, id, NULL, 1 FROM linux_soft_irqs;

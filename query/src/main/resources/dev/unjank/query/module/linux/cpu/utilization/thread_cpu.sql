-- CPU cycles of threads on each CPU; the table is defined with those that add it up.
INCLUDE PERFETTO MODULE linux.cpu.utilization.general;

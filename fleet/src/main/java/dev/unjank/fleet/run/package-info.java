/**
 * Runs a task over many traces: feeder, worker pool, admission gate, totals. {@code LocalRun} runs on this machine,
 * {@code PartitionRun} one partition on a Spark worker.
 */
@NullMarked
package dev.unjank.fleet.run;

import org.jspecify.annotations.NullMarked;

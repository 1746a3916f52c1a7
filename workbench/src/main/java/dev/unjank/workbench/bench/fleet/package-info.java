/**
 * {@code unjank bench fleet}: throughput and memory of processing many traces, with the pool and with Spark.
 */
@NullMarked
package dev.unjank.workbench.bench.fleet;

import org.jspecify.annotations.NullMarked;

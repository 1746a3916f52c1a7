/**
 * A fleet on Apache Spark. {@link dev.unjank.fleet.spark.SparkRun} does on a cluster what {@link dev.unjank.fleet.run.LocalRun} does on one
 * machine: the same task, the same rows, the same folder.
 */
@NullMarked
package dev.unjank.fleet.spark;

import org.jspecify.annotations.NullMarked;

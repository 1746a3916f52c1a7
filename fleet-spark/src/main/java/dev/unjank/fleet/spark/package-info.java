/**
 * A fleet on Apache Spark. {@link dev.unjank.fleet.spark.SparkRun} does on a cluster the same as {@link dev.unjank.fleet.run.LocalRun} on one
 * machine: the same task, rows and folder.
 */
@NullMarked
package dev.unjank.fleet.spark;

import org.jspecify.annotations.NullMarked;

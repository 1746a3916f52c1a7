/**
 * A fleet on Apache Spark. {@link dev.unjank.fleet.spark.SparkRun} is the counterpart of {@link
 * dev.unjank.fleet.run.LocalRun} for clusters, with the same task, rows and folder.
 */
@NullMarked
package dev.unjank.fleet.spark;

import org.jspecify.annotations.NullMarked;

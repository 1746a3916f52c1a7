/** How fast fleets of traces are asked, on this machine and on Spark, and in how much memory. Begin at {@link dev.unjank.bench.fleet.FleetBenchmark}. */
@NullMarked
package dev.unjank.bench.fleet;

import org.jspecify.annotations.NullMarked;

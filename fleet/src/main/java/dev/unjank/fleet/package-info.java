/**
 * The doctor, and queries, over many traces. {@link dev.unjank.fleet.TraceTask} is what is done with one of them, a pure function from
 * a file to rows; {@link dev.unjank.fleet.LocalRun} does it with all of them on this machine; {@link dev.unjank.fleet.FleetFolder} is
 * where the rows go, as Parquet, a part at a time.
 */
@NullMarked
package dev.unjank.fleet;

import org.jspecify.annotations.NullMarked;

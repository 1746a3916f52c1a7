/**
 * The output folder: Parquet files in parts, a lock, the names of completed traces, and SQL queries ({@code
 * FleetDatabase}).
 */
@NullMarked
package dev.unjank.fleet.folder;

import org.jspecify.annotations.NullMarked;

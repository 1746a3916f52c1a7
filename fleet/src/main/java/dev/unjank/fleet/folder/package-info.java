/**
 * The folder with the results: Parquet files in parts, its lock, which traces are done, and SQL over them ({@code
 * FleetDatabase}).
 */
@NullMarked
package dev.unjank.fleet.folder;

import org.jspecify.annotations.NullMarked;

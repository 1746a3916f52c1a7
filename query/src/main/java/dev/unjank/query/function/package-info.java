/**
 * SQLite's and Perfetto's functions, operators and conversions, expressed in DuckDB's.
 */
@NullMarked
package dev.unjank.query.function;

import org.jspecify.annotations.NullMarked;

/**
 * SQL over a trace. {@link dev.unjank.query.Engine} is the columnar engine, DuckDB in this process, behind a handful of
 * methods; nothing else knows its driver.
 */
@NullMarked
package dev.unjank.query;

import org.jspecify.annotations.NullMarked;

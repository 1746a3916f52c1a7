/**
 * DuckDB's SQL as text: DuckDbPrinter prints trees, with the source position of each part.
 */
@NullMarked
package dev.unjank.query.print;

import org.jspecify.annotations.NullMarked;

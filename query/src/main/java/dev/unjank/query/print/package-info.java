/**
 * Typed trees as DuckDB's SQL, with the source position of each part.
 */
@NullMarked
package dev.unjank.query.print;

import org.jspecify.annotations.NullMarked;

/**
 * DuckDB in this process: runs statements, loads tables, limits time and file access, and executes span joins.
 */
@NullMarked
package dev.unjank.query.engine;

import org.jspecify.annotations.NullMarked;

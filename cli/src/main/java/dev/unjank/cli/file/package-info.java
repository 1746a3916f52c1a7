/**
 * The files that a command reads and writes: traces from files or standard input, and output files that are replaced
 * atomically.
 *
 * <p>Used by {@code command}.
 */
@NullMarked
package dev.unjank.cli.file;

import org.jspecify.annotations.NullMarked;

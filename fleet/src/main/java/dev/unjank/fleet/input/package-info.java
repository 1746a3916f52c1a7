/**
 * Finds the files of a fleet and reads traces out of zip and tar archives. Used by runs; folders use it for the names of traces in
 * archives.
 */
@NullMarked
package dev.unjank.fleet.input;

import org.jspecify.annotations.NullMarked;

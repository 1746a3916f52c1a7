/**
 * Finds the files of a fleet and reads traces out of zip and tar archives. Used by runs and, for names of traces in
 * archives, by folders.
 */
@NullMarked
package dev.unjank.fleet.input;

import org.jspecify.annotations.NullMarked;

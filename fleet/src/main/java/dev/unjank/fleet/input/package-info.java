/**
 * Finds the files of a fleet and reads traces out of zip and tar archives. Used by the packages {@code run}
 * and {@code folder} (names of traces in archives).
 */
@NullMarked
package dev.unjank.fleet.input;

import org.jspecify.annotations.NullMarked;

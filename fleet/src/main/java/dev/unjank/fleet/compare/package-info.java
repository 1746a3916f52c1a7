/**
 * Compares two fleets with bootstrap confidence intervals.
 */
@NullMarked
package dev.unjank.fleet.compare;

import org.jspecify.annotations.NullMarked;

/**
 * Utilities for periodic threads ({@code PeriodicThread}), for clean-up steps that may fail ({@code Cleanup}), and for
 * the time that the end of a recording may take ({@code EndLimits}).
 */
@NullMarked
package dev.unjank.record.lifecycle;

import org.jspecify.annotations.NullMarked;

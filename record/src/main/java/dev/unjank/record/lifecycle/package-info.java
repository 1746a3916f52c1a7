/**
 * Utilities for periodic threads ({@code PeriodicThread}) and for clean-up steps that may fail ({@code Cleanup}).
 */
@NullMarked
package dev.unjank.record.lifecycle;

import org.jspecify.annotations.NullMarked;

/**
 * Small helpers for things that start, run periodically and end: {@code Cleanup}, {@code PeriodicThread}.
 */
@NullMarked
package dev.unjank.record.lifecycle;

import org.jspecify.annotations.NullMarked;

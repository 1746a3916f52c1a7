/**
 * What a thread was doing at a moment, by its slices, a profiler's samples and, where no scheduler events exist, its idle
 * intervals. Used by the sources of waits and by the blame tree.
 */
@NullMarked
package dev.unjank.doctor.find.activity;

import org.jspecify.annotations.NullMarked;

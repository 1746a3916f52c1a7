/**
 * The activity of a thread at a time, by its slices, a profiler's samples and, without scheduler events, its idle
 * intervals. The sources of waits and the blame tree use it.
 */
@NullMarked
package dev.unjank.doctor.find.activity;

import org.jspecify.annotations.NullMarked;

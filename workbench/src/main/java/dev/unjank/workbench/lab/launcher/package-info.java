/**
 * Experiment {@code launcher-jank}: a UI thread, a low-priority executor that posts to its queue, and a camera that
 * keeps the CPUs busy.
 */
@NullMarked
package dev.unjank.workbench.lab.launcher;

import org.jspecify.annotations.NullMarked;

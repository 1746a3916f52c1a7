/**
 * Experiment {@code inversion-by-cores}: how long a mutex delays an important thread, by number of CPUs and kind of
 * mutex.
 */
@NullMarked
package dev.unjank.workbench.lab.inversion;

import org.jspecify.annotations.NullMarked;

/**
 * Experiment {@code gc-critical}: native code holds a Java array for a second; which garbage collectors stop the UI
 * thread.
 */
@NullMarked
package dev.unjank.workbench.lab.gc;

import org.jspecify.annotations.NullMarked;

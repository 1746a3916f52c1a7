/**
 * Waits without an owner: for a CPU (runnable), and in uninterruptible sleep, mostly I/O.
 */
@NullMarked
package dev.unjank.doctor.find.kernel;

import org.jspecify.annotations.NullMarked;

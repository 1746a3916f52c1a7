/**
 * Waits for the garbage collector, safepoints, ART's thread suspensions and JNI critical sections, and pauses of whole
 * processes, also by SIGSTOP or a debugger.
 */
@NullMarked
package dev.unjank.doctor.find.pause;

import org.jspecify.annotations.NullMarked;

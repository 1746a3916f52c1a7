/** Finds the code of waits: recorded call stacks, and in them the frame that belongs to the program. */
@NullMarked
package dev.unjank.doctor.find.code;

import org.jspecify.annotations.NullMarked;

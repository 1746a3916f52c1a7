/**
 * Finds frames, and the work of a program in a missed frame.
 */
@NullMarked
package dev.unjank.doctor.find.frame;

import org.jspecify.annotations.NullMarked;

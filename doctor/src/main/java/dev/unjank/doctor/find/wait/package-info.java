/**
 * The interface {@code WaitSource} of all sources of waits, their blocked intervals and blame intervals, the wake-up
 * that ends a wait, and the index of all waits of a thread.
 */
@NullMarked
package dev.unjank.doctor.find.wait;

import org.jspecify.annotations.NullMarked;

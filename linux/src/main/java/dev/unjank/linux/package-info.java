/**
 * The few calls of Linux that Java has no word for: how a thread is scheduled, and on which processors ({@link
 * dev.unjank.linux.LinuxThreads}), and sleeping on a word of memory ({@link dev.unjank.linux.Futex}).
 *
 * <p>Every call is a plain downcall of the foreign function API; {@link dev.unjank.linux.LinuxThreads#obstacle} says why there are none on
 * another system, or where native access is not enabled.
 */
@NullMarked
package dev.unjank.linux;

import org.jspecify.annotations.NullMarked;

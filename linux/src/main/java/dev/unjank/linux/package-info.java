/**
 * System calls of Linux without a JDK API: scheduling and CPU affinity of threads ({@link
 * dev.unjank.linux.LinuxThreads}), and sleeping on a word of memory ({@link dev.unjank.linux.Futex}).
 *
 * <p>Every call is a plain downcall of the foreign function API; {@link dev.unjank.linux.LinuxThreads#obstacle} returns
 * why they are not available on another system, or where native access is not enabled.
 */
@NullMarked
package dev.unjank.linux;

import org.jspecify.annotations.NullMarked;

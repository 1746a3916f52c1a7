/**
 * Linux system calls without a JDK API: scheduling and CPU affinity of threads ({@link dev.unjank.linux.LinuxThreads}),
 * and sleeping on a word of memory ({@link dev.unjank.linux.Futex}).
 *
 * <p>Every call is an ordinary downcall of the foreign function API. On other systems, or without native access, {@link
 * dev.unjank.linux.LinuxThreads#obstacle} returns why the calls are unavailable.
 */
@NullMarked
package dev.unjank.linux;

import org.jspecify.annotations.NullMarked;

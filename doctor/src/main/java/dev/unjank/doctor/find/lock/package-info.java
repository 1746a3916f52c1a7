/**
 * Waits for locks: monitors, mutexes, java.util.concurrent and futexes; parses contention slices and finds the owner of
 * the lock.
 */
@NullMarked
package dev.unjank.doctor.find.lock;

import org.jspecify.annotations.NullMarked;

/**
 * What comes from inside a Java virtual machine: the events of its Flight Recorder
 * ({@link dev.unjank.record.jvm.FlightRecorderSource}), and who has the locks that others wait for
 * ({@link dev.unjank.record.jvm.LockOwnerSource}, with {@link dev.unjank.record.agent} on the other side).
 */
@NullMarked
package dev.unjank.record.jvm;

import org.jspecify.annotations.NullMarked;

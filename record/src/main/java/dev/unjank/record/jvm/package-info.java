/**
 * Sources inside a JVM: the events of its Flight Recorder, and the owners of contended locks, sampled by an agent in
 * the target. {@link dev.unjank.record.jvm.TargetJvm} creates both.
 */
@NullMarked
package dev.unjank.record.jvm;

import org.jspecify.annotations.NullMarked;

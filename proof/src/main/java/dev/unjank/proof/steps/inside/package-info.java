/**
 * The scenarios that {@link dev.unjank.proof.steps.PostCost} and a test of preemption run. Loaded by
 * {@link dev.unjank.proof.steps.InstrumentedLooperLoader}, together with the rewritten looper, but not rewritten
 * themselves.
 */
@NullMarked
package dev.unjank.proof.steps.inside;

import org.jspecify.annotations.NullMarked;

/**
 * The scenarios that {@link dev.unjank.proof.steps.PreemptionCheck} runs. Loaded by {@link
 * dev.unjank.proof.steps.InstrumentedLooperLoader}, beside the rewritten looper, but not rewritten themselves.
 */
@NullMarked
package dev.unjank.proof.steps.inside;

import org.jspecify.annotations.NullMarked;

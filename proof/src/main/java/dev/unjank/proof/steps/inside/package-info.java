/**
 * The scenes that {@link dev.unjank.proof.steps.Suspension} plays. Loaded by {@link
 * dev.unjank.proof.steps.InstrumentedLooper}, beside the rewritten looper, but not rewritten themselves.
 */
@NullMarked
package dev.unjank.proof.steps.inside;

import org.jspecify.annotations.NullMarked;

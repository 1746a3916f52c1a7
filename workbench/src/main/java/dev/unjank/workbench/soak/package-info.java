/**
 * The soak test of the message loop, {@code unjank verify}: random operations from a seed, single-threaded against an
 * exact model and multi-threaded against invariants.
 *
 * <p>{@link dev.unjank.workbench.soak.Soak} runs the rounds; {@link dev.unjank.workbench.soak.LooperOperations} is
 * where tests inject faults.
 */
@NullMarked
package dev.unjank.workbench.soak;

import org.jspecify.annotations.NullMarked;

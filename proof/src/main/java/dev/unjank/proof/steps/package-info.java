/**
 * The looper's own classes, loaded a second time with a hook before every instruction, so that a post's operations can
 * be counted and a poster can be stopped at any instruction.
 *
 * <pre>
 *   InstrumentedLooperLoader        a class loader: looper's classes, rewritten by Instrumenter to call InstructionHook
 *     inside.*                      the scenarios, loaded by the same loader so that they use the rewritten classes
 *   InstructionHook ──▶ ThreadSteps what the current thread does: steps, locks, read-modify-writes, calls into the JDK
 *   PostCost                        the steps and read-modify-writes of one post
 * </pre>
 *
 * <p>Two tests build on it: PreemptionCheck runs a scenario once for each instruction at which a poster can be stopped;
 * CallGraph checks the reachable locks statically.
 */
@NullMarked
package dev.unjank.proof.steps;

import org.jspecify.annotations.NullMarked;

/**
 * A soak: everything that can be done to a looper, at random, for as long as one likes, against what must hold.
 *
 * <p>A round follows from its seed. Two kinds of rounds take turns:
 *
 * <ul>
 *   <li>{@link dev.unjank.proof.soak.SequentialRound}: one thread, a clock and a waker driven by hand, and a {@link
 *       dev.unjank.proof.soak.Model} of the queue that is exact. Such a round replays exactly.
 *   <li>{@link dev.unjank.proof.soak.ConcurrentRound}: many threads, real loops, quits and rebirths. What each thread does follows
 *       from the seed; who gets the processor when does not, so a replay repeats the round until it fails again. Nothing tells
 *       what exactly must happen, so the {@link dev.unjank.proof.soak.Judge} goes by what cannot be: it compares the times at
 *       which calls began and ended, and says nothing where they overlap.
 * </ul>
 *
 * <p>{@link dev.unjank.proof.soak.Soak} runs them. {@link dev.unjank.proof.soak.Door} is the way of every operation into the
 * looper; tests of the soak put in one with a fault.
 */
@NullMarked
package dev.unjank.proof.soak;

import org.jspecify.annotations.NullMarked;

/**
 * Synchronous handoff between two threads: one wakes the other and sleeps, in one call, like a function call between
 * threads.
 *
 * <pre>
 * RequestChannel    a function that another thread computes: request there, reply back
 *   Handoff         swap(theirs, mine): wakes one thread and puts the calling one to sleep
 *     WaitSlot      the place where a thread sleeps
 * HandoffStrategy   how they sleep, and where they run
 * SingleCarrier     virtual threads on a single carrier
 * </pre>
 *
 * <p><b>Cost.</b> It depends on where the two threads run. On two processors, one must wake up the other's processor;
 * on the same one the kernel switches from one to the other, which takes a twentieth or less. Only one of the two runs
 * at any time, so sharing a processor loses nothing. {@link dev.unjank.locks.handoff.HandoffStrategy#SAME_PROCESSOR}
 * binds both to one for that time; virtual threads of {@link dev.unjank.locks.handoff.SingleCarrier} are switched
 * without the kernel.
 *
 * <p>A stock kernel has no system call that wakes one thread and puts the caller to sleep in one step; there are
 * patches for it (futex_swap). Two calls on the same processor give most of the benefit: the woken thread cannot run
 * before the caller sleeps.
 */
@NullMarked
package dev.unjank.locks.handoff;

import org.jspecify.annotations.NullMarked;

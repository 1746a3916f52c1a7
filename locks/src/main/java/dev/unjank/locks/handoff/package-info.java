/**
 * Synchronous handoff between two threads: in one call a thread wakes the other and goes to sleep, like a function call
 * between threads.
 *
 * <pre>
 * RequestChannel    a function that another thread computes: request there, reply back
 *   Handoff         swap(theirs, mine): wakes one thread and puts the calling one to sleep
 *     WaitSlot      the place where a thread sleeps
 * HandoffStrategy   how they sleep, and where they run
 * SingleCarrier     virtual threads on a single carrier
 * </pre>
 *
 * <p><b>Cost.</b> The cost depends on where the two threads run. On two processors, a thread must wake up the other
 * thread's processor. On one processor, the kernel switches from one thread to the other, which takes a twentieth of
 * the time or less. Only one of the two threads runs at any time, so sharing a processor costs no throughput. {@link
 * dev.unjank.locks.handoff.HandoffStrategy#SAME_PROCESSOR} binds both threads to one processor for the duration;
 * virtual threads of {@link dev.unjank.locks.handoff.SingleCarrier} are switched without the kernel.
 *
 * <p>The mainline kernel has no system call that wakes one thread and puts the caller to sleep in one step, though
 * patches exist (futex_swap). Two calls on the same processor give most of the benefit: the woken thread cannot run
 * before the caller sleeps.
 */
@NullMarked
package dev.unjank.locks.handoff;

import org.jspecify.annotations.NullMarked;

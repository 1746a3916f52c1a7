/**
 * Handing over between two threads: one wakes the other and sleeps, in one call, as a function call between threads does.
 *
 * <pre>
 * RequestChannel   a function that another thread computes: request there, reply back
 *   Handoff        swap(theirs, mine): wakes one thread, has the calling one sleep
 *     Seat         where a thread sleeps
 * Strategy         how they sleep, and where they run
 * OneCarrier       virtual threads on a single carrier
 * </pre>
 *
 * <p><b>What it takes</b> depends on where the two threads run. On two processors, one has to wake up the other's processor; on the same
 * one the kernel switches from one to the other, which takes a twentieth or less. Since only one of the two runs at any time, nothing is
 * lost by their sharing a processor. {@link dev.unjank.locks.handoff.HandoffStrategy#SAME_PROCESSOR} binds both to one for that time; virtual
 * threads of {@link dev.unjank.locks.handoff.SingleCarrier} are switched without the kernel.
 *
 * <p>There is no system call that wakes one thread and has the caller sleep in one step on a stock kernel; there are patches for it
 * (futex_swap). Two calls on the same processor have most of what it gives: the woken thread cannot run before the caller sleeps.
 */
@NullMarked
package dev.unjank.locks.handoff;

import org.jspecify.annotations.NullMarked;

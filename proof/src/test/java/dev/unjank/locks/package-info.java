/**
 * Proofs of the locks, claim by claim, each with a seeded fault that the proof must find ({@link
 * dev.unjank.locks.FaultyLockSync}). {@code LockInterleavingsTest} of module {@code locks} does what the model checker
 * cannot: timeouts and interrupts come at any step, and donations are made step by step.
 *
 * <table>
 *   <caption>Model checking: {@link dev.unjank.locks.LockLinearizabilityTest} with {@link
 *   dev.unjank.locks.LockModels}</caption>
 *   <tr><th>claim<th>model<th>seeded bug that is found
 *   <tr><td>mutual exclusion, and no thread sleeps beside a free lock<td>Lock, GivenToAll<td>DOES_NOT_ANSWER
 *   <tr><td>a signalled thread wakes<td>Lock<td>LOSES_THE_SIGNAL
 *   <tr><td>readers see finished writes; a writer goes on reading its own<td>ReadWrite<td>TAKES_TOO_MUCH
 *   <tr><td>permits are neither lost nor created, and waiters get them<td>Passing, Permits<td>TAKES_TOO_MUCH
 * </table>
 *
 * <table>
 *   <caption>Stress on the real machine: {@link dev.unjank.locks.LockStressTest}</caption>
 *   <tr><th>claim<th>proof<th>seeded bug that is seen
 *   <tr><td>every waiter gets the lock<td>{@link dev.unjank.locks.LockHandOver}<td>DOES_NOT_ANSWER
 *   <tr><td>a thread that stops waiting is not granted the lock<td>{@link dev.unjank.locks.TimeoutAgainstHandOver}<td>CANCELS_WHAT_IS_CLAIMED
 *   <tr><td>a thread that stops waiting passes its wake-up on<td>{@link dev.unjank.locks.TimeoutAgainstWakeUp}<td>WAKES_NOBODY
 *   <tr><td>every donation is returned<td>{@link dev.unjank.locks.BoostAgainstUnlock}<td>KEEPS_THE_LOAN
 *   <tr><td>no signal is lost<td>{@link dev.unjank.locks.CancelAgainstSignal}<td>SIGNALS_WHO_HAS_GONE
 *   <tr><td>permits are neither lost nor created<td>{@link dev.unjank.locks.SeveralPermits}<td>see LockHandOver
 * </table>
 */
package dev.unjank.locks;

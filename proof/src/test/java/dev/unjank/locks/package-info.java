/**
 * What proves the locks, claim by claim, with a fault beside each that the proof must find ({@link dev.unjank.locks.FaultyLockSync}).
 * {@code LockInterleavingsTest} of module {@code locks} does what the model checker cannot: it has limits of time end and interrupts come at any
 * step, and goes through loans step by step.
 *
 * <table>
 *   <caption>Model checking: {@link dev.unjank.locks.LockLinearizabilityTest} with {@link dev.unjank.locks.LockModels}</caption>
 *   <tr><th>claim<th>model<th>seeded bug that is found
 *   <tr><td>what is done under a lock is done by one thread at a time, and nobody sleeps beside a free lock<td>Lock, GivenToAll<td>DOES_NOT_ANSWER
 *   <tr><td>who is signalled wakes<td>Lock<td>LOSES_THE_SIGNAL
 *   <tr><td>readers see what writers have finished; a writer goes on reading what it has written<td>ReadWrite<td>TAKES_TOO_MUCH
 *   <tr><td>permits are neither lost nor made, and who waits gets them<td>Passing, Permits<td>TAKES_TOO_MUCH
 * </table>
 *
 * <table>
 *   <caption>Stress on the real machine: {@link dev.unjank.locks.LockStressTest}</caption>
 *   <tr><th>claim<th>proof<th>seeded bug that is seen
 *   <tr><td>whoever waits gets the lock<td>{@link dev.unjank.locks.LockHandOver}<td>DOES_NOT_ANSWER
 *   <tr><td>who stops waiting is not given the lock<td>{@link dev.unjank.locks.TimeoutAgainstHandOver}<td>CANCELS_WHAT_IS_CLAIMED
 *   <tr><td>who stops waiting passes its wake-up on<td>{@link dev.unjank.locks.TimeoutAgainstWakeUp}<td>WAKES_NOBODY
 *   <tr><td>no loan is left behind<td>{@link dev.unjank.locks.BoostAgainstUnlock}<td>KEEPS_THE_LOAN
 *   <tr><td>no signal is lost<td>{@link dev.unjank.locks.CancelAgainstSignal}<td>SIGNALS_WHO_HAS_GONE
 *   <tr><td>permits are neither lost nor made<td>{@link dev.unjank.locks.SeveralPermits}<td>see HandOver
 * </table>
 */
package dev.unjank.locks;

/**
 * What proves the locks, claim by claim, with a fault beside each that the proof must find ({@link dev.unjank.locks.FaultySync}).
 *
 * <table>
 *   <caption>Stress on the real machine: {@link dev.unjank.locks.LockStressTest}</caption>
 *   <tr><th>claim<th>proof<th>seeded bug that is seen
 *   <tr><td>whoever waits gets the lock<td>{@link dev.unjank.locks.HandOver}<td>DOES_NOT_ANSWER
 *   <tr><td>who stops waiting is not given the lock<td>{@link dev.unjank.locks.TimeoutAgainstHandOver}<td>CANCELS_WHAT_IS_CLAIMED
 *   <tr><td>who stops waiting passes its wake-up on<td>{@link dev.unjank.locks.TimeoutAgainstWakeUp}<td>who wakes one that gives up does not look for another
 *   <tr><td>no loan is left behind<td>{@link dev.unjank.locks.BoostAgainstUnlock}<td>KEEPS_THE_LOAN
 *   <tr><td>no signal is lost<td>{@link dev.unjank.locks.CancelAgainstSignal}<td>SIGNALS_WHO_HAS_GONE
 *   <tr><td>permits are neither lost nor made<td>{@link dev.unjank.locks.SeveralPermits}<td>see HandOver
 * </table>
 */
package dev.unjank.locks;

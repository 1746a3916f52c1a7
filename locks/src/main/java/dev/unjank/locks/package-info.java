/**
 * Locks in which an important thread waits little.
 *
 * <pre>
 * VipLock  VipReadWriteLock  VipSemaphore     what a program uses              Importance    who is important
 *     │           │              │                                           Tier          what can be done for them here
 *     │        SharedSync        │            shares, and who has them
 *     └──────── OwnedSync        │            an owner; VipCondition: waiting for more than the lock
 *                   └──────── VipSync         the word, waiting, and choosing who is next
 *                                WaitQueue    who waits, and whose turn it is: Waiter, WaitList
 *                                Lending      along a chain of owners that wait for owners; Deadlock: one that closes
 *                                Standing     a thread: what it waits for, has shares of (Hold), was lent
 * </pre>
 *
 * <p>The order of waiters, and that of the boosts, follow what Android vendors have described of their kernels' futexes: VIP waiters
 * before ordinary ones up to a bound, and an owner that counts as much as who waits for it. Priority inheritance is that of
 * L. Sha, R. Rajkumar, J. Lehoczky, "Priority Inheritance Protocols", IEEE Transactions on Computers 39 (9), 1990.
 */
@NullMarked
package dev.unjank.locks;

import org.jspecify.annotations.NullMarked;

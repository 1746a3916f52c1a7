/**
 * Locks that shorten the waits of important threads: they order waiters by importance and boost the owner (priority inheritance).
 *
 * <pre>
 * VipLock  VipReadWriteLock  VipSemaphore     for users                Importance      of a thread
 *     │           │              │                                     PriorityTier    support by this machine
 *     │        SharedSync        │            shares and their holders
 *     └────── ExclusiveSync      │            an owner; VipCondition: its conditions
 *                   └──────── VipSync         the word, waiting, and choosing the next thread
 *                                WaitQueue          the waiters and their order: Waiter, WaitList
 *                                PriorityDonation   along a chain of owners that wait for owners
 *                                DeadlockDetector   a chain that is a cycle
 *                                LockThread         a thread: its waiter, its shares (SharedHold), its donations
 * </pre>
 *
 * <p>The order of waiters and the boosts follow what Android vendors have described of their kernels' futexes: VIP waiters go before
 * ordinary ones up to a bound, and an owner has the importance of its most important waiter. Priority inheritance follows L. Sha, R.
 * Rajkumar, J. Lehoczky, "Priority Inheritance Protocols", IEEE Transactions on Computers 39 (9), 1990.
 */
@NullMarked
package dev.unjank.locks;

import org.jspecify.annotations.NullMarked;

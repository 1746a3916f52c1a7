/**
 * Locks that shorten the waits of important threads: they order waiters by importance and boost the owner (priority
 * inheritance).
 *
 * <pre>
 * VipLock  VipReadWriteLock  VipSemaphore     are used by programs
 *     │           │              │
 *     │        SharedSync        │            keeps shares and their holders
 *     └────── ExclusiveSync      │            keeps one owner; its conditions are VipConditions
 *                   └──────── VipSync         keeps the state word and the waits; chooses the next thread
 *                                WaitQueue          orders the waiters (Waiter, WaitList)
 *                                PriorityDonation   boosts a chain of owners, each of which waits for the next
 *                                DeadlockDetector   reports a chain that is a cycle
 *                                LockThread         keeps a thread's waiter, shares (SharedHold) and donations
 * </pre>
 *
 * <p>{@link Importance} is the importance of a thread. {@link PriorityTier} is the support for priority inheritance on
 * this machine.
 *
 * <p>The order of waiters and the boosts follow what Android vendors have described of their kernels' futexes: VIP
 * waiters go before ordinary ones up to a bound, and an owner has the importance of its most important waiter. Priority
 * inheritance follows L. Sha, R. Rajkumar, J. Lehoczky, "Priority Inheritance Protocols", IEEE Transactions on
 * Computers 39 (9), 1990.
 */
@NullMarked
package dev.unjank.locks;

import org.jspecify.annotations.NullMarked;

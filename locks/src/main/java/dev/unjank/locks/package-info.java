/**
 * Locks in which an important thread waits little.
 *
 * <pre>
 * VipLock            what a program uses: a reentrant lock                 Importance    who is important
 *   VipSync          taking and releasing: the word, and its states        Tier          what can be done for them here
 *     WaitQueue      who waits, and whose turn it is
 *     Standing       a thread: what it waits for, what it was lent
 *   VipCondition     waiting for more than the lock
 * </pre>
 *
 * <p>The order of waiters, and that of the boosts, follow what Android vendors have described of their kernels' futexes: VIP waiters
 * before ordinary ones up to a bound, and an owner that counts as much as who waits for it. Priority inheritance is that of
 * L. Sha, R. Rajkumar, J. Lehoczky, "Priority Inheritance Protocols", IEEE Transactions on Computers 39 (9), 1990.
 */
@NullMarked
package dev.unjank.locks;

import org.jspecify.annotations.NullMarked;

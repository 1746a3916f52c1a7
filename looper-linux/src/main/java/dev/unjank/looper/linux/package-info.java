/**
 * A waker on a futex, the word that the Linux kernel lets threads sleep on.
 *
 * <p>The portable waker uses {@link java.util.concurrent.locks.LockSupport#unpark}, which takes a mutex of the virtual
 * machine for the duration of a system call. A sender that is preempted inside it blocks every other sender that wants
 * to wake the loop, and the loop. The waker of this package has no lock at all: a sender sets a bit in a word of native
 * memory and makes one system call. A sender that is preempted at any point blocks no other thread.
 *
 * <h2>How to use it</h2>
 *
 * <p>Put the module beside {@code dev.unjank.looper} and allow it native access:
 *
 * <pre>
 * java --enable-native-access=ALL-UNNAMED ...               on the class path
 * java --enable-native-access=dev.unjank.looper.linux ...   on the module path
 * </pre>
 *
 * <p>Without that permission, off Linux, on processors other than x86-64 and AArch64, and on virtual threads, loops
 * park as they do without this module, and no warning is printed. {@code -Dunjank.waker=futex} makes it an error
 * instead, except on virtual threads; {@code -Dunjank.waker=parking} turns this module off. The last line of {@link
 * dev.unjank.looper.Looper#dump} names the waker.
 *
 * <h2>Differences</h2>
 *
 * <ul>
 *   <li>A loop that sleeps on a futex is in native code: thread dumps and {@link java.lang.Thread#getState()} show it as
 *       RUNNABLE in {@code FutexWaker.await}, and JFR has no ThreadPark event for it.
 *   <li>On virtual threads loops park, since a sleep on a futex would pin the carrier.
 * </ul>
 */
package dev.unjank.looper.linux;

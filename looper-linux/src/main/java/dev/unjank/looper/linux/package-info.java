/**
 * A waker for loopers that is based on a Linux futex.
 *
 * <p>The portable waker uses {@link java.util.concurrent.locks.LockSupport#unpark}, which holds a native mutex of the
 * JVM for the duration of a system call. A sender preempted inside it blocks the loop and every other sender that tries
 * to wake the loop. The waker of this package has no lock: a sender sets a bit in a word of native memory and makes one
 * system call. A sender that is preempted at any point blocks no other thread.
 *
 * <h2>How to use it</h2>
 *
 * <p>Add the module next to {@code dev.unjank.looper} and enable native access for it:
 *
 * <pre>
 * java --enable-native-access=ALL-UNNAMED ...               on the class path
 * java --enable-native-access=dev.unjank.looper.linux ...   on the module path
 * </pre>
 *
 * <p>Without that permission, on systems other than Linux, on processors other than x86-64 and AArch64, and on virtual
 * threads, loops park as they do without this module, and no warning is printed. With {@code -Dunjank.waker=futex} this
 * is an error instead, except on virtual threads; {@code -Dunjank.waker=parking} disables this module. The last line of
 * {@link dev.unjank.looper.Looper#dump} names the waker.
 *
 * <h2>Differences</h2>
 *
 * <ul>
 *   <li>A loop that sleeps on a futex is in native code: thread dumps and {@link java.lang.Thread#getState()} show it
 *       as RUNNABLE in {@code FutexWaker.await}, and JFR records no ThreadPark event for it.
 *   <li>On virtual threads loops park, since a sleep on a futex would pin the carrier.
 * </ul>
 */
package dev.unjank.looper.linux;

/**
 * What looks on inside the program that is recorded: who waits for which lock, who has it, and where the owner is. It is put
 * into the target's virtual machine as a Java agent, needs nothing but the JDK's own modules there, and is not used by the
 * recorder itself but for {@link dev.unjank.record.observer.Wire}, which both speak.
 *
 * <p>{@link dev.unjank.record.observer.Entry} lets it in, {@link dev.unjank.record.observer.Observer} is its one thread. Threads
 * of the program run only the few instructions of {@link dev.unjank.record.observer.Alarm}, which wake that thread.
 */
@NullMarked
package dev.unjank.record.observer;

import org.jspecify.annotations.NullMarked;

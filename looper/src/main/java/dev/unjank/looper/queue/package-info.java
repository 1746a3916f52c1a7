/**
 * The data structures of the lock-free queue. They access only the due time, the state and the link of a message
 * ({@link dev.unjank.looper.queue.Node}); {@code dev.unjank.looper} handles handlers, Runnables and codes.
 */
package dev.unjank.looper.queue;

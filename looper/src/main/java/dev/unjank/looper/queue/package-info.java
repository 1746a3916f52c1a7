/**
 * The data structures of the lock-free queue. They know of a message only its due time, its state and its link ({@link
 * dev.unjank.looper.queue.Node}); handlers, Runnables and codes are the business of {@code dev.unjank.looper}.
 */
package dev.unjank.looper.queue;

/**
 * {@code unjank bench queue}: compares the message queue with other queues, one class per benchmark.
 *
 * <p>{@link dev.unjank.workbench.bench.queue.QueueBenchmarks} lists them.
 */
@NullMarked
package dev.unjank.workbench.bench.queue;

import org.jspecify.annotations.NullMarked;

/**
 * {@code unjank bench queue}: the message queue against its peers, one class for each question.
 *
 * <p>{@link dev.unjank.workbench.bench.queue.QueueBenchmarks} lists them.
 */
@NullMarked
package dev.unjank.workbench.bench.queue;

import org.jspecify.annotations.NullMarked;

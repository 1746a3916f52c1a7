/**
 * The message queue against its peers: a table with a target for each thing measured. {@link
 * dev.unjank.bench.queue.QueueBenchmarks} lists the questions.
 */
@NullMarked
package dev.unjank.bench.queue;

import org.jspecify.annotations.NullMarked;

/**
 * The message queues against their peers, one benchmark class per question:
 *
 * <ul>
 *   <li>{@link dev.unjank.bench.queue.PostToRun}: how long from a burst of posts to the last one's run?
 *   <li>{@link dev.unjank.bench.queue.InsertAmongPending}: what does a delayed post cost when many wait already?
 *   <li>{@link dev.unjank.bench.queue.DrainDueTimers}: how fast are timers run that are due all at once?
 *   <li>{@link dev.unjank.bench.queue.PostAndCancel}: what does a timeout cost that never fires?
 * </ul>
 *
 * <p>{@link dev.unjank.bench.queue.Peer} lists who is measured; {@link dev.unjank.bench.queue.QueueBenchmarks} runs all and prints
 * medians and ratios. Times of different machines, or of different runs on a busy one, do not compare; the ratios within one
 * run do.
 */
@NullMarked
package dev.unjank.bench.queue;

import org.jspecify.annotations.NullMarked;

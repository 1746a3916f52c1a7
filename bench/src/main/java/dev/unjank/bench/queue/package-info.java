/**
 * The message queue against its peers: a table with a target for each thing measured.
 *
 * <p>A {@link dev.unjank.bench.queue.Question} says what is measured and what is asked of this project's queue; {@link
 * dev.unjank.bench.queue.Questions} lists them. Each peer is measured in a Java VM of its own ({@link
 * dev.unjank.bench.queue.Vm}), and the VMs take turns ({@link dev.unjank.bench.queue.Turns}): on a machine that others use, too,
 * figures of different minutes do not compare, but those of one round do. A {@link dev.unjank.bench.queue.Judgement} is
 * therefore made from the ratios of single rounds. {@link dev.unjank.bench.queue.QueueBenchmarks} runs it all.
 */
@NullMarked
package dev.unjank.bench.queue;

import org.jspecify.annotations.NullMarked;

/**
 * Benchmarks that are tables: who takes part, what is measured, what is asked of the figures.
 *
 * <p>A {@link dev.unjank.bench.contest.Question} says what is measured and what is asked; a {@link dev.unjank.bench.contest.Contest}
 * lists them. Each {@link dev.unjank.bench.contest.Contestant} is measured in a Java VM of its own ({@link
 * dev.unjank.bench.contest.Vm}), and the VMs take turns ({@link dev.unjank.bench.contest.Turns}): on a machine that others use, too,
 * figures of different minutes do not compare, but those of one round do. A {@link dev.unjank.bench.contest.Judgement} is
 * therefore made from the ratios of single rounds. {@link dev.unjank.bench.contest.ContestRun} runs it all.
 */
@NullMarked
package dev.unjank.bench.contest;

import org.jspecify.annotations.NullMarked;

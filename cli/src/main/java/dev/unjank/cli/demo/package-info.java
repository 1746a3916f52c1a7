/**
 * The demo: one UI loop under one load, first over the monitor queue, then over the lock-free one.
 *
 * <p>{@link dev.unjank.cli.demo.Demo} runs the phases, which the benchmarks know, too ({@link
 * dev.unjank.bench.load.Phase}); what is said at the end lies in {@link dev.unjank.cli.demo.DemoReport}.
 */
@NullMarked
package dev.unjank.cli.demo;

import org.jspecify.annotations.NullMarked;

/**
 * The demo: one UI loop under one load, first over the monitor queue, then over the lock-free one.
 *
 * <p>{@link dev.unjank.cli.demo.Demo} runs the phases; a {@link dev.unjank.cli.demo.Phase} sets up the loop and the load and
 * watches both from outside, so that a loop which is stalled for the whole phase is measured and never waited for. What is
 * counted lies in {@link dev.unjank.cli.demo.TickLedger}, what is said in {@link dev.unjank.cli.demo.DemoReport}.
 */
@NullMarked
package dev.unjank.cli.demo;

import org.jspecify.annotations.NullMarked;

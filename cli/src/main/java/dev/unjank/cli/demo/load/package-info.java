/**
 * A UI loop under load: busy threads, low-priority threads that post timeouts, and a count of the deadlines that the
 * loop meets.
 *
 * <p>Used by the demo, and by the workbench's benchmarks and experiments. {@link
 * dev.unjank.cli.demo.load.LoopUnderLoad} sets it up and measures it.
 */
@NullMarked
package dev.unjank.cli.demo.load;

import org.jspecify.annotations.NullMarked;

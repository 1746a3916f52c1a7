/**
 * A UI loop under load: threads that compute without end, low-priority posters, and a count of the ticks that the loop makes
 * beside them. The demo shows it, and a benchmark compares the peers under it.
 *
 * <p>A {@link dev.unjank.bench.load.Phase} sets up the loop and the load and watches both from outside, so that a loop which is
 * stalled for the whole phase is measured and never waited for. What is counted lies in {@link
 * dev.unjank.bench.load.TickLedger}.
 */
@NullMarked
package dev.unjank.bench.load;

import org.jspecify.annotations.NullMarked;

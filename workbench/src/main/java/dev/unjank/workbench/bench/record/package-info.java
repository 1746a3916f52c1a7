/**
 * {@code unjank bench record}: what recording costs the process that is recorded, in CPU time and missed frames.
 */
@NullMarked
package dev.unjank.workbench.bench.record;

import org.jspecify.annotations.NullMarked;

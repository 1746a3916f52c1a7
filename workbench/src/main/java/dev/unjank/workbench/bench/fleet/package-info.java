/**
 * {@code unjank bench fleet}: how fast many traces are processed, by the pool and by Spark, and in how much memory.
 */
@NullMarked
package dev.unjank.workbench.bench.fleet;

import org.jspecify.annotations.NullMarked;

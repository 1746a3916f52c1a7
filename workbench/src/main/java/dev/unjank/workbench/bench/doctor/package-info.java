/**
 * {@code unjank bench doctor}: how fast traces are loaded, diagnosed and queried, and in how much memory.
 */
@NullMarked
package dev.unjank.workbench.bench.doctor;

import org.jspecify.annotations.NullMarked;

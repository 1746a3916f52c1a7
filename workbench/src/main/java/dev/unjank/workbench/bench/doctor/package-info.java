/**
 * {@code unjank bench doctor}: speed and memory of loading, diagnosing and querying traces.
 */
@NullMarked
package dev.unjank.workbench.bench.doctor;

import org.jspecify.annotations.NullMarked;

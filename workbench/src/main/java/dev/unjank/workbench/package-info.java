/**
 * Benchmarks, experiments and a soak test, for developers of this project: {@code unjank bench}, {@code lab} and
 * {@code verify} in a checkout.
 *
 * <p>Not part of a release. {@link dev.unjank.workbench.Workbench} is the main class.
 */
@NullMarked
package dev.unjank.workbench;

import org.jspecify.annotations.NullMarked;

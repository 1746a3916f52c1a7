/**
 * Benchmarks, experiments and the soak of this project, for its developers: {@code unjank bench}, {@code lab} and
 * {@code verify} in a checkout.
 *
 * <p>Not part of a release. {@link dev.unjank.workbench.Workbench} is the main class.
 */
@NullMarked
package dev.unjank.workbench;

import org.jspecify.annotations.NullMarked;

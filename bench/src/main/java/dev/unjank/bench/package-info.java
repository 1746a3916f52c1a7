/** Benchmarks that are not JMH's: whole programs, measured from outside. */
@NullMarked
package dev.unjank.bench;

import org.jspecify.annotations.NullMarked;

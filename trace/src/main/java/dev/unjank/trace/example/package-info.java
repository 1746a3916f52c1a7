/**
 * Small traces made by hand: {@link dev.unjank.trace.example.Scene} takes the story of each thread and derives the kernel's
 * events from it, as consistent as a real machine's. Made for tests and for the example that the project shows itself with.
 */
@NullMarked
package dev.unjank.trace.example;

import org.jspecify.annotations.NullMarked;

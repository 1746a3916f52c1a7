/**
 * What the heap of a queue costs, written one way and another: the figures of {@code docs/design/heap.md}.
 */
@NullMarked
package dev.unjank.bench.heap;

import org.jspecify.annotations.NullMarked;

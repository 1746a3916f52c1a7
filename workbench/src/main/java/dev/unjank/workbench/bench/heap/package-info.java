/**
 * The looper's binary heap written in several ways and compared: the figures of the design page on the heap.
 *
 * <p>Run by hand ({@link dev.unjank.workbench.bench.heap.HeapStudy}).
 */
@NullMarked
package dev.unjank.workbench.bench.heap;

import org.jspecify.annotations.NullMarked;

/**
 * Lists, maps and sorting of primitive numbers, an intern pool of strings, and a pool of memory outside the heap. Used
 * while traces are built and read; has no dependency on traces.
 */
@NullMarked
package dev.unjank.trace.collections;

import org.jspecify.annotations.NullMarked;
